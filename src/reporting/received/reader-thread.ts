/** Thread of reader.ts: reads the report of one mail. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ParseLimits } from '../../mime/types.js'
import { readReportMail } from './read.js'

export interface Work {
  raw: Uint8Array
  parts: readonly number[]
  limits: ParseLimits
}

const port = parentPort
if (port) {
  const { raw, parts, limits } = workerData as Work
  // A Buffer arrives as a plain Uint8Array.
  port.postMessage(await readReportMail(Buffer.from(raw.buffer, raw.byteOffset, raw.length), parts, limits))
}
