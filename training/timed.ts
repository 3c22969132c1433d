/**
 * One build of the guard in a process of its own, which judges what it is sent and tells how long that took. Its own, since modules that the trainer
 * uses too run slower: their functions serve two callers.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolve } from 'node:path'
import type * as GuardModule from '../src/guard/verdict/guard.js'
import type * as ModelModule from '../src/guard/model/model.js'
import type { GuardSubject } from '../src/guard/types.js'

/** Milliseconds on the clock and of the processor, the process's other threads included. */
export interface Took {
  wall: number
  cpu: number
}

export interface Timed {
  name: string
  judge(subject: GuardSubject): Promise<Took>
  end(): void
}

/** @param folder of the build: its `dist` */
export async function startTimed(name: string, folder: string): Promise<Timed> {
  const child = fork(fileURLToPath(import.meta.url), [resolve(folder)], { serialization: 'advanced' })
  await answerOf(child)
  return {
    name,
    async judge(subject) {
      child.send(subject)
      return (await answerOf(child)) as Took
    },
    end: () => void child.kill(),
  }
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const [answer] = (await Promise.race([
    once(child, 'message', { signal: ended.signal }),
    once(child, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`the judging process ended with ${String(code)}`)
    }),
  ]).finally(() => ended.abort())) as unknown[]
  return answer
}

async function serve(folder: string): Promise<void> {
  const at = (path: string): string => pathToFileURL(resolve(folder, path)).href
  const { createGuard } = (await import(at('guard/verdict/guard.js'))) as typeof GuardModule
  const { loadModel } = (await import(at('guard/model/model.js'))) as typeof ModelModule
  const guard = createGuard({ model: loadModel() })
  process.on('message', (subject: GuardSubject) => {
    const [from, before] = [performance.now(), process.cpuUsage()]
    guard.explain(subject)
    const wall = performance.now() - from
    const { user, system } = process.cpuUsage(before)
    process.send?.({ wall, cpu: (user + system) / 1000 } satisfies Took)
  })
  process.send?.('ready')
}

const [, code, folder] = process.argv
if (process.send && code === fileURLToPath(import.meta.url) && folder !== undefined) await serve(folder)
