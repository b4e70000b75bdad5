// The Go client: core messaging over TCP or WebSocket with a credentials file. Prints one line of JSON.
package main

import (
	"encoding/json"
	"log"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

func main() {
	url, credentials, prefix := os.Args[1], os.Args[2], os.Args[3]
	connection, err := nats.Connect(url, nats.UserCredentials(credentials), nats.Name("e2e-go"), nats.Timeout(30*time.Second))
	check(err)
	defer connection.Close()

	plain, err := connection.SubscribeSync(prefix + ".plain")
	check(err)
	var working sync.WaitGroup
	working.Add(10)
	for range 2 {
		_, err = connection.QueueSubscribe(prefix+".work", "workers", func(*nats.Msg) { working.Done() })
		check(err)
	}
	_, err = connection.Subscribe(prefix+".echo", func(message *nats.Msg) { check(message.Respond(message.Data)) })
	check(err)

	check(connection.Publish(prefix+".plain", []byte("hello")))
	received, err := plain.NextMsg(30 * time.Second)
	check(err)
	answer, err := connection.Request(prefix+".echo", []byte("are you there"), 30*time.Second)
	check(err)
	for range 10 {
		check(connection.Publish(prefix+".work", []byte("x")))
	}
	check(connection.Flush())
	done := make(chan struct{})
	go func() { working.Wait(); close(done) }()
	worked := 10
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		worked = -1
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"received": string(received.Data), "answered": string(answer.Data), "worked": worked,
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
