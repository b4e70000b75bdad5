// The JavaScript client: core messaging over TCP or WebSocket with a credentials file. Prints one line of JSON.
import { readFile } from 'node:fs/promises';
import { connect, credsAuthenticator, wsconnect } from '@nats-io/transport-node';
import WebSocket from 'ws';

globalThis.WebSocket ??= WebSocket;

const [url, credentials, prefix] = process.argv.slice(2);
const authenticator = credsAuthenticator(await readFile(credentials));
const dial = url.startsWith('ws') ? wsconnect : connect;
const connection = await dial({ servers: url, authenticator, name: 'e2e-javascript' });

const plain = connection.subscribe(`${prefix}.plain`, { max: 1 });
const groups = [0, 1].map(() => connection.subscribe(`${prefix}.work`, { queue: 'workers' }));
const service = connection.subscribe(`${prefix}.echo`);
(async () => {
  for await (const message of service) message.respond(message.data);
})();

connection.publish(`${prefix}.plain`, 'hello');
let received = '';
for await (const message of plain) received = message.string();

const answer = await connection.request(`${prefix}.echo`, 'are you there', { timeout: 30000 });
for (let i = 0; i < 10; i++) connection.publish(`${prefix}.work`, String(i));
await connection.flush();
await Promise.all(groups.map((group) => group.drain()));
const worked = groups.reduce((sum, group) => sum + group.getReceived(), 0);

console.log(JSON.stringify({ received, answered: answer.string(), worked }));
await connection.drain();
