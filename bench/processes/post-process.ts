/** The process of `bench/support/post.ts`. */
import { Agent, request } from 'node:http'
import { createWriter } from '../support/messages.js'
import type { PostOrder, PostReport } from '../support/post.js'

function send(url: string, agent: Agent, key: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request(`${url}/v1/send`, { method: 'POST', agent, headers }, (answer) => {
      let text = `${answer.statusCode} `
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk)).on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function work({ url, keys, connections, seed, messages, bytes, domains }: PostOrder): Promise<PostReport> {
  const writer = createWriter(seed)
  const bodies = Array.from({ length: messages }, (_, n) => {
    const to = `person${n % 100}@${domains[n % domains.length] ?? ''}`
    const [, ...text] = writer.message(`m${n}`, to, bytes).split('\r\n\r\n')
    return JSON.stringify({ to, subject: `Message ${seed}-${n}`, text: text.join('\n\n').replaceAll('\r\n', '\n') })
  })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const queue = bodies.entries()
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const [n, body] of queue) {
        const answer = await send(url, agent, keys[n % keys.length] ?? '', body)
        if (!answer.startsWith('202 ')) throw new Error(answer)
      }
    }),
  )
  agent.destroy()
  return { kind: 'posted', ms: performance.now() - begun }
}

process.once('message', (order: PostOrder) => {
  work(order)
    .catch((error: unknown): PostReport => ({ kind: 'failed', reason: String(error) }))
    .then((report) => process.send?.(report))
    .catch((error: unknown) => process.emitWarning(String(error)))
})
process.on('disconnect', () => process.exit())
