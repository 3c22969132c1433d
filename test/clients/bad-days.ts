/** A server that gives the answers of a bad day, one after the other. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { Test } from 'tap'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Gives each request the next answer. */
export async function startServer(t: Test, answers: Answer[]): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const answer = answers[seen.length]
    seen.push(request)
    request.resume()
    if (answer) answer(request, response)
    else json(500, { error: { code: 'internal', message: 'one request too many', hint: '' } })(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, seen }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
export const cut: Answer = (request) => request.socket.destroy()
export const refusal = (code: string) => ({ error: { code, message: 'It says no.', hint: 'Do this instead.' } })
