// Command terraform-provider-penstock is the Terraform provider of Penstock.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"runtime/debug"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/penstock/terraform-provider-penstock/internal/provider"
)

// Set by the release build.
var version = "dev"

// Garbage is collected when the heap has grown by so many percent: the process lives for seconds and is small, so time counts more.
const garbagePercent = 400

func main() {
	address := flag.String("debug", "", "serve for a debugger, under this full source address (host/penstock/penstock)")
	flag.Parse()
	quietLogs()
	debug.SetGCPercent(garbagePercent)
	options := providerserver.ServeOpts{Address: "localhost/penstock/penstock"}
	if *address != "" {
		options = providerserver.ServeOpts{Address: *address, Debug: true}
	}
	if err := providerserver.Serve(context.Background(), provider.New(version), options); err != nil {
		log.Fatal(err)
	}
}

// quietLogs ends the making of log lines that nobody asked for: by default a provider writes all of them as JSON, and Terraform
// reads them only to throw them away. In a plan over hundreds of objects that is a third of the time.
func quietLogs() {
	for _, variable := range os.Environ() {
		if strings.HasPrefix(variable, "TF_LOG") {
			return
		}
	}
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_PENSTOCK"} {
		_ = os.Setenv(name, "ERROR")
	}
}
