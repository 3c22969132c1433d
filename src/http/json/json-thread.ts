/** The thread of large-json.ts. */
import { parentPort } from 'node:worker_threads'
import { ServiceError } from '../../lib/errors.js'
import { withFilesDecoded } from './base64.js'
import { parseJson } from './json.js'
import type { FromJsonThread, ToJsonThread } from './large-json.js'

parentPort?.on('message', ({ id, body }: ToJsonThread) => parentPort?.postMessage(answer(id, body)))

function answer(id: number, body: Uint8Array): FromJsonThread {
  try {
    return { id, value: withFilesDecoded(parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength))) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { id, problem: error.message }
  }
}
