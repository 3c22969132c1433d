/** The thread of reader.ts: one mail, and what the report in it says. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ParseLimits } from '../../mime/types.js'
import { readReportMail } from './read.js'

/** What the thread is started with. */
export interface Work {
  raw: Uint8Array
  parts: readonly number[]
  limits: ParseLimits
}

const port = parentPort
if (port) {
  const { raw, parts, limits } = workerData as Work
  // What was a Buffer arrives as a plain array of octets.
  port.postMessage(await readReportMail(Buffer.from(raw.buffer, raw.byteOffset, raw.length), parts, limits))
}
