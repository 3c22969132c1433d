/** A language model's server as one meets them: it answers as it is told to, mostly badly. Kept is what it was asked. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { listenAnywhere } from '../ports.js'

export interface Asked {
  path: string
  headers: IncomingHttpHeaders
  body: {
    model: string
    messages: { role: string; content: string }[]
    response_format: { json_schema: { schema: { properties: { id: { enum: string[] } } } } }
    [key: string]: unknown
  }
  /** The mark around the message. */
  mark: string
  /** The message between the marks. */
  letter: Record<string, unknown>
}

export type Behaviour = (asked: Asked, response: ServerResponse) => void

export interface Model {
  url: string
  asked: Asked[]
  behave(behaviour: Behaviour): void
  stop(): void
}

export async function startModel(behaviour: Behaviour = says({})): Promise<Model> {
  let current = behaviour
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body: Asked['body'] = JSON.parse(Buffer.concat(chunks).toString())
      const lines = (body.messages.at(-1)?.content ?? '').split('\n')
      const one: Asked = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        mark: lines[0] ?? '',
        letter: JSON.parse(lines[1] ?? ''),
      }
      asked.push(one)
      current(one, response)
    })
  })
  const port = await listenAnywhere(server)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    behave: (next) => (current = next),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A whole answer whose content is this text. */
export function completion(content: unknown): string {
  return JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }] })
}

/** An answer to the question that was asked, but for what is given. */
export function says(opinion: Record<string, unknown>): Behaviour {
  return ({ mark }, response) => response.end(completion(JSON.stringify({ ...answer(mark), ...opinion })))
}

export function answer(mark: string): Record<string, unknown> {
  return {
    id: mark,
    category: 'phishing',
    risk: 0.93,
    reasons: [{ code: 'credential_request', detail: 'asks for a password on a page of somebody else' }],
  }
}
