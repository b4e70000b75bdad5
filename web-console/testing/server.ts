import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { TestingApi } from './api';

// The policy the control plane is asked to send; docs/web-console.md has the same line.
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Answers /v1 and /auth of a node request from the testing API; false leaves it to the caller. */
export async function answerApi(api: TestingApi, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const path = request.url ?? '/';
  if (path.startsWith('/auth/login')) {
    // The identity provider's pages are not played here: signing in always works.
    api.state.session = true;
    const target = new URL(path, 'http://localhost').searchParams.get('redirect') ?? '/';
    response.writeHead(302, { location: target.startsWith('/') ? target : '/' }).end();
    return true;
  }
  if (!path.startsWith('/v1/') && !path.startsWith('/auth/')) return false;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const method = request.method ?? 'GET';
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  const answer = await api.handle(
    new Request(`http://localhost${path}`, { method, headers, ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }) }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
  return true;
}

/** The built console and the testing API on one origin, with the policy of production. */
export async function startServer(api: TestingApi, dist: string, port = 0): Promise<{ url: string; stop: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      if (await answerApi(api, request, response)) return;
      const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname).replace(/^(\.\.[/\\])+/, '');
      const wanted = extname(path) ? join(dist, path) : join(dist, 'index.html');
      try {
        const file = await readFile(wanted);
        response.writeHead(200, {
          'content-type': TYPES[extname(wanted)] ?? 'application/octet-stream',
          'content-security-policy': CONTENT_SECURITY_POLICY,
        });
        response.end(file);
      } catch {
        response.writeHead(404).end();
      }
    })().catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
