/** A message as a mail program or a file has it, read within the limits of incoming mail. */
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import type { Asker } from '../../lib/thread-pool.js'
import { withCrlf } from '../../mime/line-ends.js'
import { MessageFormatError, type ParsedMessage, type ParseLimits } from '../../mime/types.js'
import type { MailWork } from '../mail-work/mail-work.js'

export interface GivenMessage {
  raw: Buffer
  /** Bits of mailbox/folders/flags.ts. */
  flags: number
  keywords: readonly string[]
  /** When it was received, in milliseconds since the epoch; now if missing. */
  internalDateMs?: number | undefined
}

export interface ReadMessage {
  given: GivenMessage
  /** With CRLF at the end of every line. */
  raw: Buffer
  parsed: ParsedMessage
}

export interface ReadingDeps {
  work: Pick<MailWork, 'parse'>
  parseLimits: ParseLimits
  maxBytes: number
}

/** @throws ServiceError `payload_too_large`; `invalid_request` for what is no message */
export async function readMessage(deps: ReadingDeps, given: GivenMessage, asker: Asker): Promise<ReadMessage> {
  if (given.raw.length > deps.maxBytes) throw tooLarge(deps.maxBytes)
  // RFC 9051 §4.3.1: only BINARY may have NUL, which no program can show.
  if (given.raw.includes(0)) throw unfit('it has octets of the value 0')
  const raw = withCrlf(given.raw)
  if (raw.length > deps.maxBytes) throw tooLarge(deps.maxBytes)
  try {
    return { given, raw, parsed: await deps.work.parse(raw, deps.parseLimits, asker) }
  } catch (error) {
    if (!(error instanceof MessageFormatError)) throw error
    throw unfit(error.reason)
  }
}

const unfit = (reason: string): ServiceError =>
  invalidRequest(`The message cannot be read: ${reason}.`, 'Leave it out, or repair it.')

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The message is larger than ${maxBytes} bytes.`,
    'Leave it out, or take large files off it.',
  )
