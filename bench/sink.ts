/** Postfix's `smtp-sink`: takes mail as fast as it comes and throws it away, counting. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../test/support/ports.js'
import { listening } from './postfix-stack.js'

export interface Sink {
  port: number
  taken(): number
  /** Resolves when so many messages have come; milliseconds of `performance.now()`. */
  reached(count: number): Promise<number>
  stop(): Promise<void>
}

export async function startSink(more: string[] = []): Promise<Sink> {
  const port = await freePort()
  const child = spawn('/usr/sbin/smtp-sink', ['-c', '-u', 'nobody', ...more, `127.0.0.1:${port}`, '1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const waiting = new Set<{ count: number; resolve: (at: number) => void }>()
  let taken = 0
  child.stdout.setEncoding('latin1')
  child.stdout.on('data', (text: string) => {
    const at = performance.now()
    for (const found of text.matchAll(/mesg=\s*(\d+)\s/g)) taken = Math.max(taken, Number(found[1]))
    for (const waiter of waiting) {
      if (taken < waiter.count) continue
      waiting.delete(waiter)
      waiter.resolve(at)
    }
  })
  await listening(port)
  return {
    port,
    taken: () => taken,
    reached: (count) =>
      taken >= count ? Promise.resolve(performance.now()) : new Promise((resolve) => waiting.add({ count, resolve })),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
