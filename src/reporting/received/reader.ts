/** Reads reports in threads with limits on time and memory: their contents come packed from strangers. A thread per report, since there are few a day. */
import { Worker } from 'node:worker_threads'
import { SECOND } from '../../lib/clock.js'
import type { ParseLimits } from '../../mime/types.js'
import type { Work } from './reader-thread.js'
import type { Reading } from './types.js'

/** The largest accepted report needs two or three seconds. */
const DEADLINE_MS = 20 * SECOND
/** V8 heap; the largest accepted report needs less than half. */
const MAX_HEAP_MB = 384

export type ReportReader = (raw: Buffer, parts: readonly number[]) => Promise<Reading>

/** @returns a function that never rejects for a mail's content */
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
