/** Postfix's `smtp-sink`: takes mail as fast as it comes and throws it away, counting. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../test/support/ports.js'
import { listening } from './postfix-stack.js'

export interface Sink {
  port: number
  taken(): number
  /** Resolves when so many messages have come, with when that was (`performance.now()`); fails after two minutes. */
  reached(count: number): Promise<number>
  stop(): Promise<void>
}

export interface SinkOptions {
  port?: number
  /** Where all it takes is written, one after the other. */
  dump?: string
}

const PATIENCE_MS = 120_000

export async function startSink({ port, dump }: SinkOptions = {}): Promise<Sink> {
  const at = port ?? (await freePort())
  const more = dump === undefined ? [] : ['-D', dump]
  const child = spawn('/usr/sbin/smtp-sink', ['-c', '-u', 'nobody', ...more, `127.0.0.1:${at}`, '1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const waiting = new Set<{ count: number; resolve: (at: number) => void }>()
  let taken = 0
  child.stdout.setEncoding('latin1')
  child.stdout.on('data', (text: string) => {
    const now = performance.now()
    for (const found of text.matchAll(/mesg=\s*(\d+)\s/g)) taken = Math.max(taken, Number(found[1]))
    for (const waiter of waiting) {
      if (taken < waiter.count) continue
      waiting.delete(waiter)
      waiter.resolve(now)
    }
  })
  await listening(at)
  return {
    port: at,
    taken: () => taken,
    reached: (count) =>
      taken >= count
        ? Promise.resolve(performance.now())
        : new Promise((resolve, reject) => {
            const late = setTimeout(() => reject(new Error(`${taken} of ${count} messages came`)), PATIENCE_MS)
            const done = (now: number): void => {
              clearTimeout(late)
              resolve(now)
            }
            waiting.add({ count, resolve: done })
          }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
