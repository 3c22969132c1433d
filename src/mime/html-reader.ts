/**
 * Sanitised HTML without a stop in anybody's service: short HTML is made at once, longer in a thread of its own that has a bound on time and
 * memory and ends with its work.
 */
import { Worker } from 'node:worker_threads'
import { sanitiseHtml } from './sanitise.js'

/** A few milliseconds' work. */
const MAX_IN_PLACE_CHARS = 4 * 1024
const MAX_THREADS = 2
/** Made to be slow, 256 KiB take a second or two. */
const DEADLINE_MS = 20_000
const MAX_HEAP_MB = 128

export type HtmlReader = (html: string) => Promise<string | null>

/** @returns a function that gives the sanitised copy, or null when it could not be made within the bounds */
export function createHtmlReader({ deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {}): HtmlReader {
  let running = 0
  const waiting: (() => void)[] = []

  return async (html) => {
    if (html.length <= MAX_IN_PLACE_CHARS) return sanitiseHtml(html)
    if (running >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await inThread(html, deadlineMs)
    } catch {
      // Out of time or memory: such HTML is made to be, and nobody needs to read it.
      return null
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

function inThread(html: string, deadlineMs: number): Promise<string> {
  const worker = new Worker(new URL('./html-reader-thread.js', import.meta.url), {
    workerData: html,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  worker.unref()
  return new Promise<string>((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error('HTML took too long to sanitise')), deadlineMs)
    worker.once('message', (safe: unknown) => {
      if (typeof safe === 'string') resolve(safe)
      else reject(new Error('the thread gave no HTML'))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended without a result')))
    worker.once('exit', () => clearTimeout(deadline))
  }).finally(() => worker.terminate())
}
