/**
 * Reads reports in a thread of its own, with a bound on time and memory: what is in them was written by whoever wants to, and packed. A thread
 * lives for one report, since a day has few of them.
 */
import { Worker } from 'node:worker_threads'
import { SECOND } from '../../lib/clock.js'
import type { ParseLimits } from '../../mime/types.js'
import type { Work } from './reader-thread.js'
import type { Reading } from './types.js'

/** A report of the largest size that is taken needs two or three. */
const DEADLINE_MS = 20 * SECOND
/** Of V8's heap; a report of the largest size stays under half of it. */
const MAX_HEAP_MB = 384

export type ReportReader = (raw: Buffer, parts: readonly number[]) => Promise<Reading>

/** @returns a function that never rejects for what a mail says */
export function createReportReader(limits: ParseLimits, deadlineMs = DEADLINE_MS): ReportReader {
  return (raw, parts) => {
    const worker = new Worker(new URL('./reader-thread.js', import.meta.url), {
      workerData: { raw, parts, limits } satisfies Work,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    worker.unref()
    return new Promise<Reading>((resolve, reject) => {
      const deadline = setTimeout(() => resolve({ kind: 'refused', refusal: 'too_slow' }), deadlineMs)
      worker.once('message', (reading: Reading) => resolve(reading))
      worker.once('error', (error: Error & { code?: string }) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ kind: 'refused', refusal: 'too_large' })
        else reject(error)
      })
      worker.once('exit', () => {
        clearTimeout(deadline)
        reject(new Error('the thread ended without a result'))
      })
    }).finally(() => worker.terminate())
  }
}
