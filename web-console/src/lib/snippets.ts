import type { CodeLanguage } from './highlight';
import { shell } from './code-tabs';

export type Act = 'publish' | 'consume' | 'request';
export const LANGUAGES = ['CLI', 'Java', 'JavaScript', 'Go', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a snippet is about; all of it is real, nothing is a placeholder the account does not have. */
export interface SnippetInput {
  url: string;
  /** File name of the credential: "first-app.creds". */
  creds: string;
  user: string;
  /** Stream and consumer, where the account has them. */
  stream: string | null;
  consumer: string | null;
  /** A subject of the stream, or one of the reader's own. */
  subject: string;
}

export interface Snippet {
  language: CodeLanguage;
  install: string;
  text: string;
}

const INSTALL: Record<Language, string> = {
  CLI: 'go install github.com/nats-io/natscli/nats@v0.5.0',
  Java: 'io.nats:jnats:2.26.2',
  JavaScript: 'npm install @nats-io/transport-node @nats-io/jetstream',
  Go: 'go get github.com/nats-io/nats.go',
  Python: 'pip install nats-py',
};

/** A subject that can be published on, made from a filter. */
export function exampleSubject(filter: string | undefined): string {
  if (!filter) return 'hello.world';
  return filter
    .split('.')
    .map((token) => (token === '>' ? 'new' : token === '*' ? 'one' : token))
    .join('.');
}

export function contextCommand(input: SnippetInput): string {
  return `nats context save ${shell(input.user)} --server ${shell(input.url)} --creds ./${shell(input.creds)} --select`;
}

function cli(act: Act, s: SnippetInput): string {
  const context = `# once\n${contextCommand(s)}\n\n`;
  if (act === 'publish') return `${context}nats pub ${shell(s.subject)} '{"id":1}'`;
  if (act === 'request') return `${context}# in one terminal: answers\nnats reply help.me 'on my way'\n\n# in another: asks and waits\nnats request help.me 'hello'`;
  if (s.stream && s.consumer) return `${context}nats consumer next ${s.stream} ${s.consumer} --count 10 --ack`;
  if (s.stream) {
    return `${context}nats consumer add ${s.stream} worker --pull --ack=explicit --defaults\nnats consumer next ${s.stream} worker --count 10 --ack`;
  }
  return `${context}nats sub ${shell(s.subject)}`;
}

function java(act: Act, s: SnippetInput): string {
  const body = {
    publish: s.stream
      ? `      PublishAck ack = nc.jetStream().publish("${s.subject}", "{\\"id\\":1}".getBytes(UTF_8));
      System.out.println(ack.getStream() + " has it as " + ack.getSeqno());`
      : `      nc.publish("${s.subject}", "{\\"id\\":1}".getBytes(UTF_8));
      nc.flush(Duration.ofSeconds(2));`,
    consume: s.stream
      ? `      StreamContext stream = nc.getStreamContext("${s.stream}");
      ConsumerContext worker = stream.${
        s.consumer
          ? `getConsumerContext("${s.consumer}")`
          : `createOrUpdateConsumer(
          ConsumerConfiguration.builder().durable("worker").build())`
      };
      try (FetchConsumer batch = worker.fetchMessages(10)) {
        for (Message m = batch.nextMessage(); m != null; m = batch.nextMessage()) {
          System.out.println(m.getSubject() + " " + new String(m.getData(), UTF_8));
          m.ack();
        }
      }`
      : `      Subscription sub = nc.subscribe("${s.subject}");
      while (true) {
        Message m = sub.nextMessage(Duration.ofMinutes(1));
        if (m != null) System.out.println(new String(m.getData(), UTF_8));
      }`,
    request: `      nc.createDispatcher(m -> nc.publish(m.getReplyTo(), "on my way".getBytes(UTF_8)))
          .subscribe("help.me");
      Message reply = nc.request("help.me", "hello".getBytes(UTF_8), Duration.ofSeconds(2));
      System.out.println(new String(reply.getData(), UTF_8));`,
  }[act];
  const needs = [
    'io.nats.client.*',
    ...(act === 'consume' && s.stream && !s.consumer ? ['io.nats.client.api.ConsumerConfiguration'] : []),
    ...(act === 'publish' && s.stream ? ['io.nats.client.api.PublishAck'] : []),
    ...(body.includes('Duration') ? ['java.time.Duration'] : []),
  ];
  return `${needs.map((name) => `import ${name};`).join('\n')}
import static java.nio.charset.StandardCharsets.UTF_8;

public class Main {
  public static void main(String[] args) throws Exception {
    Options options = Options.builder()
        .server("${s.url}")
        .authHandler(Nats.credentials("./${s.creds}"))
        .connectionName("${s.user}")
        .build();
    try (Connection nc = Nats.connect(options)) {
${body}
    }
  }
}`;
}

function javascript(act: Act, s: SnippetInput): string {
  const usesStream = s.stream !== null && act !== 'request';
  const body = {
    publish: s.stream
      ? `const ack = await jetstream(nc).publish('${s.subject}', JSON.stringify({ id: 1 }));
console.log(ack.stream, 'has it as', ack.seq);
await nc.drain();`
      : `nc.publish('${s.subject}', JSON.stringify({ id: 1 }));
await nc.drain();`,
    consume: s.stream
      ? `${s.consumer ? '' : `const manager = await jetstreamManager(nc);\nawait manager.consumers.add('${s.stream}', { durable_name: 'worker', ack_policy: 'explicit' });\n`}const worker = await jetstream(nc).consumers.get('${s.stream}', '${s.consumer ?? 'worker'}');
for await (const m of await worker.consume()) {
  console.log(m.seq, m.subject, m.string());
  m.ack();
}`
      : `for await (const m of nc.subscribe('${s.subject}')) {
  console.log(m.subject, m.string());
}`,
    request: `nc.subscribe('help.me', { callback: (err, m) => m.respond('on my way') });
const reply = await nc.request('help.me', 'hello', { timeout: 2000 });
console.log(reply.string());
await nc.drain();`,
  }[act];
  const imports = usesStream
    ? `import { ${act === 'consume' && !s.consumer ? 'jetstream, jetstreamManager' : 'jetstream'} } from '@nats-io/jetstream';\n`
    : '';
  return `import { readFile } from 'node:fs/promises';
import { connect, credsAuthenticator } from '@nats-io/transport-node';
${imports}
const nc = await connect({
  servers: '${s.url}',
  authenticator: credsAuthenticator(await readFile('./${s.creds}')),
  name: '${s.user}',
});

${body}`;
}

function go(act: Act, s: SnippetInput): string {
  const usesStream = s.stream !== null && act !== 'request';
  const check = `\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n`;
  const start = usesStream ? `\tjs, err := jetstream.New(nc)\n${check}` : '';
  const body = {
    publish: s.stream
      ? `${start}\tack, err := js.Publish(context.Background(), "${s.subject}", []byte(\`{"id":1}\`))
${check}\tlog.Println(ack.Stream, "has it as", ack.Sequence)`
      : `\tif err := nc.Publish("${s.subject}", []byte(\`{"id":1}\`)); err != nil {
\t\tlog.Fatal(err)
\t}`,
    consume: s.stream
      ? `${start}\tworker, err := ${
          s.consumer
            ? `js.Consumer(context.Background(), "${s.stream}", "${s.consumer}")`
            : `js.CreateOrUpdateConsumer(context.Background(), "${s.stream}",
\t\tjetstream.ConsumerConfig{Durable: "worker", AckPolicy: jetstream.AckExplicitPolicy})`
        }
${check}\trunning, err := worker.Consume(func(m jetstream.Msg) {
\t\tlog.Printf("%s %s", m.Subject(), m.Data())
\t\tm.Ack()
\t})
${check}\tdefer running.Stop()
\tselect {}`
      : `\tnc.Subscribe("${s.subject}", func(m *nats.Msg) {
\t\tlog.Printf("%s %s", m.Subject, m.Data)
\t})
\tselect {}`,
    request: `\tnc.Subscribe("help.me", func(m *nats.Msg) { m.Respond([]byte("on my way")) })
\treply, err := nc.Request("help.me", []byte("hello"), 2*time.Second)
${check}\tlog.Println(string(reply.Data))`,
  }[act];
  const std = [...(usesStream ? ['"context"'] : []), '"log"', ...(act === 'request' ? ['"time"'] : [])];
  const libs = ['"github.com/nats-io/nats.go"', ...(usesStream ? ['"github.com/nats-io/nats.go/jetstream"'] : [])];
  return `package main

import (
${std.map((name) => `\t${name}`).join('\n')}

${libs.map((name) => `\t${name}`).join('\n')}
)

func main() {
\tnc, err := nats.Connect("${s.url}",
\t\tnats.UserCredentials("./${s.creds}"),
\t\tnats.Name("${s.user}"))
${check}\tdefer nc.Drain()

${body}
}`;
}

function python(act: Act, s: SnippetInput): string {
  const body = {
    publish: s.stream
      ? `    ack = await nc.jetstream().publish("${s.subject}", b'{"id":1}')
    print(ack.stream, "has it as", ack.seq)`
      : `    await nc.publish("${s.subject}", b'{"id":1}')`,
    consume: s.stream
      ? `    js = nc.jetstream()
    sub = await js.${s.consumer ? `pull_subscribe_bind("${s.consumer}", stream="${s.stream}")` : `pull_subscribe("${s.subject}", durable="worker", stream="${s.stream}")`}
    for m in await sub.fetch(10, timeout=5):
        print(m.subject, m.data.decode())
        await m.ack()`
      : `    sub = await nc.subscribe("${s.subject}")
    async for m in sub.messages:
        print(m.subject, m.data.decode())`,
    request: `    async def answer(m):
        await m.respond(b"on my way")

    await nc.subscribe("help.me", cb=answer)
    reply = await nc.request("help.me", b"hello", timeout=2)
    print(reply.data.decode())`,
  }[act];
  return `import asyncio

import nats


async def main():
    nc = await nats.connect(
        "${s.url}",
        user_credentials="./${s.creds}",
        name="${s.user}",
    )
${body}
    await nc.drain()


asyncio.run(main())`;
}

export function snippet(language: Language, act: Act, input: SnippetInput): Snippet {
  const install = INSTALL[language];
  switch (language) {
    case 'CLI':
      return { language: 'shell', install, text: cli(act, input) };
    case 'Java':
      return { language: 'java', install, text: java(act, input) };
    case 'JavaScript':
      return { language: 'javascript', install, text: javascript(act, input) };
    case 'Go':
      return { language: 'go', install, text: go(act, input) };
    case 'Python':
      return { language: 'python', install, text: python(act, input) };
  }
}
