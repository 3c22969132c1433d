/** Takes over a terminal and restores it: alternate screen, no cursor, raw keys. Restored however the process ends. */
import { writeSync } from 'node:fs'
import type { ReadStream, WriteStream } from 'node:tty'

export interface Terminal {
  input: Pick<ReadStream, 'setRawMode' | 'on' | 'off' | 'pause' | 'resume'>
  output: Pick<WriteStream, 'columns' | 'rows' | 'write' | 'on' | 'off'> & { fd?: number }
  /** True for more than ASCII. */
  unicode: boolean
}

export interface Screen {
  readonly columns: number
  readonly rows: number
  show(lines: readonly string[]): void
  /** Aborted by `q`, Ctrl-C, a signal, or the terminal's end. */
  readonly left: AbortSignal
  close(): void
}

const TAKE = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const GIVE_BACK = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const LEAVING = new Set(['q', 'Q', '\u0003', '\u0004'])
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param onResize called when its size changes */
export function takeScreen({ input, output }: Terminal, onResize: () => void): Screen {
  const leaving = new AbortController()
  let isOpen = true
  const leave = (): void => leaving.abort()
  const onData = (data: Buffer | string): void => {
    for (const key of String(data)) if (LEAVING.has(key)) leave()
  }
  /** Output at the end of the process must be written synchronously. */
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
    // Overwrites line by line: clearing first would flicker. The last line has no line end, which would scroll.
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
