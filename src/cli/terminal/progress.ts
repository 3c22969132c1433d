/** Progress of long work: one line, rewritten on a terminal, nothing elsewhere. */
import { size } from './words.js'

const EVERY_MS = 200

export function createProgress(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr) {
  let last = 0
  let shown = false
  return {
    show(text: string): void {
      const now = performance.now()
      if (!stream.isTTY || now - last < EVERY_MS) return
      last = now
      shown = true
      stream.write(`\r\u001b[K${text}`)
    },
    end(): void {
      if (shown) stream.write('\r\u001b[K')
      shown = false
    },
  }
}

/** Such as `[#######-------------] 35%  1.2G of 3.4G`. */
export function bar(done: number, total: number): string {
  return `${share(done, total)}  ${size(done)} of ${size(total)}`
}

/** Such as `[#######-------------] 35%`. */
export function share(done: number, total: number): string {
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.round(part * 20)
  return `[${'#'.repeat(full)}${'-'.repeat(20 - full)}] ${Math.floor(part * 100)}%`
}
