/** A program in a terminal of its own (test/support/terminal.py), for what only shows in one. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'
import { z } from 'zod'
import { peer } from './peers/peers.js'

const PYTHON = '/usr/bin/python3'
const HELPER = join(process.cwd(), 'test/support/terminal.py')
/** A program that writes nothing for so long waits for something else than the test does. */
const QUIET_MS = 60_000
const endSchema = z.object({ code: z.int(), restored: z.boolean() })

/** For the options of a test. */
export const terminalPeer = (): { skip: string | false } => peer('python3', PYTHON)

export interface TerminalRun {
  /** `key q`, `size 10 40`, `signal 15`. */
  order(line: string): void
  /** All that was written to the terminal so far. */
  readonly text: string
  /** Resolves once what was written fits; rejects with all of it once the program has ended, or writes nothing for a minute. */
  seen(isWanted: (text: string) => boolean): Promise<void>
  /** The exit code, and whether the terminal's modes are what they were. */
  ended: Promise<z.infer<typeof endSchema>>
}

export function inTerminal(
  t: Test,
  size: { rows: number; columns: number },
  command: readonly string[],
  env: Record<string, string>,
): TerminalRun {
  const child = spawn(PYTHON, [HELPER, String(size.rows), String(size.columns), ...command], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', LANG: 'C.UTF-8', ...env },
  })
  t.teardown(() => child.kill('SIGKILL'))
  let text = ''
  let told = ''
  let isEnded = false
  let wake: () => void = () => undefined
  child.on('close', () => {
    isEnded = true
    wake()
  })
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (told += piece))
  return {
    order: (line) => void child.stdin.write(`${line}\n`),
    get text() {
      return text
    },
    async seen(isWanted) {
      while (!isWanted(text)) {
        const before = text.length
        const timer = setTimeout(() => wake(), QUIET_MS)
        if (!isEnded) await new Promise<void>((resolve) => (wake = resolve))
        clearTimeout(timer)
        if (text.length === before) throw new Error(`the program ${isEnded ? 'ended' : 'waits'} at: ${text}`)
      }
    },
    ended: new Promise((resolve, reject) =>
      child.on('close', () => {
        try {
          resolve(endSchema.parse(JSON.parse(told)))
        } catch (cause) {
          reject(new Error(`the terminal ended with: ${told}`, { cause }))
        }
      }),
    ),
  }
}
