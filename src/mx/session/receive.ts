/** Taking the data of one message from the client, with a bound on everything it can grow. */
import type { SMTPServerDataStream } from 'smtp-server'
import { createHeaderCheck } from './header-size.js'
import { createLineCheck, describeLineProblem } from '../../smtp/lines.js'
import type { MemoryPool } from '../../smtp/memory-pool.js'
import { createMessageBuffer } from '../../smtp/message-buffer.js'
import type { MessageBuffer } from '../../smtp/message-buffer.js'
import { BUSY, HEADER_TOO_LARGE, malformed, TOO_LARGE } from '../../smtp/replies.js'
import type { Reply } from '../../smtp/replies.js'

export type ReceivedData =
  | { kind: 'message'; message: MessageBuffer; bytes: number }
  | { kind: 'refused'; reply: Reply; bytes: number }
  /** The connection went away before the end of the data. */
  | { kind: 'gone'; bytes: number }

export interface ReceiveOptions {
  maxBytes: number
  maxHeaderBytes: number
  memory: MemoryPool
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
  const message = createMessageBuffer(options.memory)
  let bytes = 0
  let refusal: Reply | undefined
  let wasCut = false

  const refuse = (reply: Reply): void => {
    refusal = reply
    message.drop()
  }

  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > 2 * options.maxBytes && !wasCut) {
        wasCut = true
        message.drop()
        options.cut()
      }
      if (refusal || wasCut) return
      if (bytes > options.maxBytes) return refuse(TOO_LARGE)
      const problem = lines.push(chunk)
      if (problem) return refuse(malformed(describeLineProblem(problem)))
      if (header.push(chunk)) return refuse(HEADER_TOO_LARGE)
      if (!message.push(chunk)) refuse(BUSY)
    })
    stream.once('end', () => {
      const problem = refusal ? undefined : lines.end()
      if (problem) refuse(malformed(describeLineProblem(problem)))
      if (refusal) resolve({ kind: 'refused', reply: refusal, bytes })
      else resolve({ kind: 'message', message, bytes })
    })
    const gone = (): void => {
      message.drop()
      resolve(wasCut ? { kind: 'refused', reply: TOO_LARGE, bytes } : { kind: 'gone', bytes })
    }
    stream.once('error', gone)
    stream.once('close', () => {
      if (!stream.readableEnded) gone()
    })
  })
}
