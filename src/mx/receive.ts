/** Taking the data of one message from the client, with a bound on everything it can grow. */
import type { SMTPServerDataStream } from 'smtp-server'
import { createHeaderCheck } from './header.js'
import { createLineCheck, describeLineProblem } from './lines.js'
import { BUSY, HEADER_TOO_LARGE, malformed, TOO_LARGE } from './replies.js'
import type { Reply } from './replies.js'

export type ReceivedData =
  | { kind: 'message'; raw: Buffer }
  | { kind: 'refused'; reply: Reply; bytes: number }
  /** The connection went away before the end of the data. */
  | { kind: 'gone'; bytes: number }

/** Memory for messages that are on their way in, shared by all connections. */
export interface Budget {
  /** False when there is not so much left. */
  take(bytes: number): boolean
  release(bytes: number): void
}

export function createBudget(maxBytes: number): Budget {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false
      used += bytes
      return true
    },
    release(bytes) {
      used -= bytes
    },
  }
}

export interface ReceiveOptions {
  maxBytes: number
  maxHeaderBytes: number
  /** What a message holds is taken from here; the caller gives `raw.length` back when it is done with it. */
  budget: Budget
  /** Called once when the client goes on past twice the limit: end the connection. */
  cut(): void
}

/**
 * Reads to the end of the data. A message that is refused is read to its end too, since the answer can't come before (RFC 5321 §4.1.1.4),
 * but nothing of it is kept; past twice the limit the connection is cut instead.
 */
export function receiveData(stream: SMTPServerDataStream, options: ReceiveOptions): Promise<ReceivedData> {
  const lines = createLineCheck()
  const header = createHeaderCheck(options.maxHeaderBytes)
  let chunks: Buffer[] = []
  let bytes = 0
  let held = 0
  let refusal: Reply | undefined
  let wasCut = false

  const letGo = (): void => {
    options.budget.release(held)
    held = 0
    chunks = []
  }
  const refuse = (reply: Reply): void => {
    refusal = reply
    letGo()
  }

  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > 2 * options.maxBytes && !wasCut) {
        wasCut = true
        letGo()
        options.cut()
      }
      if (refusal || wasCut) return
      if (bytes > options.maxBytes) return refuse(TOO_LARGE)
      const problem = lines.push(chunk)
      if (problem) return refuse(malformed(describeLineProblem(problem)))
      if (header.push(chunk)) return refuse(HEADER_TOO_LARGE)
      if (!options.budget.take(chunk.length)) return refuse(BUSY)
      held += chunk.length
      chunks.push(chunk)
    })
    stream.once('end', () => {
      const problem = refusal ? undefined : lines.end()
      if (problem) refuse(malformed(describeLineProblem(problem)))
      resolve(refusal ? { kind: 'refused', reply: refusal, bytes } : { kind: 'message', raw: sharedCopy(chunks, held) })
    })
    const gone = (): void => {
      letGo()
      resolve(wasCut ? { kind: 'refused', reply: TOO_LARGE, bytes } : { kind: 'gone', bytes })
    }
    stream.once('error', gone)
    stream.once('close', () => {
      if (!stream.readableEnded) gone()
    })
  })
}

/** In memory that other threads see too, so that a message is not copied on its way to the one that judges it. */
function sharedCopy(chunks: Buffer[], bytes: number): Buffer {
  const shared = Buffer.from(new SharedArrayBuffer(bytes))
  let at = 0
  for (const chunk of chunks) at += chunk.copy(shared, at)
  return shared
}
