/** APPEND of one message or several (RFC 9051 §6.3.12; RFC 3502; RFC 3516 §4.4; RFC 6855 §4). */
import { readMailbox } from '../wire/mailbox-name.js'
import type { Scanner } from '../wire/scanner.js'
import type { LiteralSegment } from '../wire/segments.js'
import { readDateTime, readFlagList } from '../wire/tokens.js'

export interface AppendMessage {
  flags: string[]
  /** Milliseconds since 1970. */
  internalDateMs: number | undefined
  /** Its octets are undefined if they were handed out as they came. */
  literal: LiteralSegment
  /** Given as `UTF8 (~{n})`: the message has 8-bit header fields. */
  isUtf8: boolean
}

export interface AppendCommand {
  name: 'APPEND'
  mailbox: string
  messages: AppendMessage[]
}

/** The purpose of a literal that APPEND announces. */
export type AppendLiteral =
  | { kind: 'mailbox name' }
  | { kind: 'message'; mailbox: string; message: AppendMessage; /** Messages before it. */ index: number }

export function readAppend(scanner: Scanner): AppendCommand {
  scanner.space()
  const mailbox = readMailbox(scanner)
  const messages: AppendMessage[] = []
  do {
    scanner.space()
    messages.push(readMessage(scanner))
  } while (!scanner.isAtEnd)
  return { name: 'APPEND', mailbox, messages }
}

/** Reads APPEND up to a literal that is still to come. @throws BadCommand if what is before it is not valid */
export function readAppendUpToLiteral(scanner: Scanner): AppendLiteral {
  scanner.space()
  if (scanner.isBeforeLastLiteral) return { kind: 'mailbox name' }
  const mailbox = readMailbox(scanner)
  for (let index = 0; ; index++) {
    scanner.space()
    const message = readMessage(scanner)
    if (scanner.isPastLiteral) return { kind: 'message', mailbox, message, index }
  }
}

function readMessage(scanner: Scanner): AppendMessage {
  const flags = scanner.peek() === '(' ? readFlagList(scanner) : undefined
  if (flags) scanner.space()
  const internalDateMs = scanner.peek() === '"' ? readDateTime(scanner) : undefined
  if (internalDateMs !== undefined) scanner.space()
  const isUtf8 = scanner.skip('UTF8 (')
  const literal = scanner.literal('a message as a literal')
  if (isUtf8) {
    if (!literal.isLiteral8) scanner.reject('UTF8 has a literal8: ~{n}')
    if (!scanner.isPastLiteral) scanner.expect(')')
  }
  return { flags: flags ?? [], internalDateMs, literal, isUtf8 }
}
