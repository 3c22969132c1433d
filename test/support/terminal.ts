/** A program in a terminal of its own (test/support/terminal.py), for what only shows in one. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'
import { z } from 'zod'
import { peer } from './peers/peers.js'

const PYTHON = '/usr/bin/python3'
const HELPER = join(process.cwd(), 'test/support/terminal.py')
const endSchema = z.object({ code: z.int(), restored: z.boolean() })

/** For the options of a test. */
export const terminalPeer = (): { skip: string | false } => peer('python3', PYTHON)

export interface TerminalRun {
  /** `key q`, `size 10 40`, `signal 15`. */
  order(line: string): void
  /** All that was written to the terminal so far. */
  readonly text: string
  /** Resolves once what was written fits. */
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
  let wake: () => void = () => undefined
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
      while (!isWanted(text)) await new Promise<void>((resolve) => (wake = resolve))
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
