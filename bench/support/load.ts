/** A sender with many connections, in a process of its own: it writes and signs its mail before the clock starts, and then only talks SMTP. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Batch {
  seed: number
  messages: number
  /** About so long each body gets. */
  bytes: number
  to: string
  /** Signs them when given. */
  pem?: string
}

export interface Pour {
  port: number
  connections: number
}

export interface Poured {
  /** From the first MAIL to the last reply. */
  ms: number
  /** From MAIL to the reply to the data, one for each message. */
  latenciesMs: number[]
  /** Replies to the data but 250, with how often they came. */
  refused: Record<string, number>
}

export type Order =
  { kind: 'write'; batch: Batch } | { kind: 'take'; messages: Uint8Array[]; to: string } | { kind: 'pour'; pour: Pour }
export type Report = { kind: 'written' } | { kind: 'poured'; poured: Poured } | { kind: 'failed'; reason: string }

export interface Load {
  /** Writes the mail of the next pours; each pour sends all of it. */
  write(batch: Batch): Promise<void>
  /** Takes the mail of the next pours as it is. */
  take(messages: Uint8Array[], to: string): Promise<void>
  pour(pour: Pour): Promise<Poured>
  stop(): Promise<void>
}

export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('../processes/load-process.js', import.meta.url)), {
    serialization: 'advanced',
  })
  const ended = once(child, 'exit').then((): [Report] => [{ kind: 'failed', reason: 'its process ended' }])

  async function ask(order: Order): Promise<Report> {
    const answer = once(child, 'message')
    child.send(order)
    const [report] = (await Promise.race([answer, ended])) as [Report]
    if (report.kind === 'failed') throw new Error(`load: ${report.reason}`)
    return report
  }

  return {
    async write(batch) {
      await ask({ kind: 'write', batch })
    },
    async take(messages, to) {
      await ask({ kind: 'take', messages, to })
    },
    async pour(pour) {
      const report = await ask({ kind: 'pour', pour })
      if (report.kind !== 'poured') throw new Error(`load: ${report.kind}`)
      return report.poured
    },
    async stop() {
      if (child.exitCode !== null) return
      child.disconnect()
      await ended
    },
  }
}
