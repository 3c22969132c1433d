/**
 * A terminal that is taken over and given back: the other screen, no cursor, keys as they are pressed. It is given back however the process ends, so the
 * shell is found as it was left.
 */
import { writeSync } from 'node:fs'
import type { ReadStream, WriteStream } from 'node:tty'

export interface Terminal {
  input: Pick<ReadStream, 'setRawMode' | 'on' | 'off' | 'pause' | 'resume'>
  output: Pick<WriteStream, 'columns' | 'rows' | 'write' | 'on' | 'off'> & { fd?: number }
  /** Whether it shows characters beyond ASCII. */
  unicode: boolean
}

export interface Screen {
  readonly columns: number
  readonly rows: number
  show(lines: readonly string[]): void
  /** Aborted by `q`, Ctrl-C, a signal, and the end of the terminal. */
  readonly left: AbortSignal
  close(): void
}

const TAKE = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const GIVE_BACK = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const LEAVING = new Set(['q', 'Q', '\u0003', '\u0004'])
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param onResize when there is another number of lines or columns */
export function takeScreen({ input, output }: Terminal, onResize: () => void): Screen {
  const leaving = new AbortController()
  let isOpen = true
  const leave = (): void => leaving.abort()
  const onData = (data: Buffer | string): void => {
    for (const key of String(data)) if (LEAVING.has(key)) leave()
  }
  /** What the process still has to say at its end has to be written at once. */
  const giveBackNow = (): void => {
    if (isOpen) writeSync(output.fd ?? 1, GIVE_BACK)
  }

  output.write(TAKE)
  input.setRawMode(true)
  input.on('data', onData)
  input.on('end', leave)
  input.on('error', leave)
  input.resume()
  output.on('resize', onResize)
  output.on('error', leave)
  for (const signal of SIGNALS) process.on(signal, leave)
  process.on('exit', giveBackNow)

  return {
    get columns() {
      return output.columns
    },
    get rows() {
      return output.rows
    },
    left: leaving.signal,
    // Line by line over what was there: a screen that is emptied first would flicker. The last line has no end, which would scroll.
    show: (lines) => void output.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J`),
    close() {
      if (!isOpen) return
      isOpen = false
      process.off('exit', giveBackNow)
      for (const signal of SIGNALS) process.off(signal, leave)
      output.off('resize', onResize)
      input.off('data', onData)
      input.off('end', leave)
      input.setRawMode(false)
      input.pause()
      output.write(GIVE_BACK)
    },
  }
}
