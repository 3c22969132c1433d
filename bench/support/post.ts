/** Agents in a process of their own that send over REST, each request after the answer to the one before on its connection. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface PostOrder {
  url: string
  /** One agent's each; they take turns. */
  keys: string[]
  connections: number
  seed: number
  messages: number
  bytes: number
  /** They take turns too. */
  domains: string[]
}

export type PostReport = { kind: 'posted'; ms: number } | { kind: 'failed'; reason: string }

/** Sends all of it; resolves when the last has its 202. @throws Error for any other answer */
export async function post(order: PostOrder): Promise<number> {
  const child = fork(fileURLToPath(new URL('../processes/post-process.js', import.meta.url)), {
    serialization: 'advanced',
  })
  const ended = once(child, 'exit')
  try {
    const answer = once(child, 'message')
    child.send(order)
    const [report] = (await Promise.race([answer, ended])) as [PostReport | number | null]
    if (report === null || typeof report === 'number') throw new Error('post: its process ended')
    if (report.kind === 'failed') throw new Error(`post: ${report.reason}`)
    return report.ms
  } finally {
    if (child.connected) child.disconnect()
    await ended
  }
}
