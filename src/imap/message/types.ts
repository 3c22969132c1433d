/**
 * What FETCH says of a message, as plain data (RFC 9051 §7.5.2). Strings are octets of the header as characters, one each (latin1), unfolded but not
 * decoded: encoded words stay, 8-bit text may be UTF-8 or anything else. They contain no CR, LF or NUL.
 */

/**
 * One entry of an address list. The start of a group has only its `mailbox`, which is the name of the group, and its end has nothing; only for these two
 * `host` is null. An address without a domain has an empty `host`.
 */
export interface EnvelopeAddress {
  name: string | null
  /** Source route of the address: obsolete, but still in the response. */
  adl: string | null
  mailbox: string | null
  host: string | null
}

export interface Envelope {
  /** These four are null when the field is missing, and '' when it is empty. */
  date: string | null
  subject: string | null
  inReplyTo: string | null
  messageId: string | null
  /** Lists without addresses are empty: NIL in the response. */
  from: readonly EnvelopeAddress[]
  /** As `from` when missing or empty; `replyTo` too. */
  sender: readonly EnvelopeAddress[]
  replyTo: readonly EnvelopeAddress[]
  to: readonly EnvelopeAddress[]
  cc: readonly EnvelopeAddress[]
  bcc: readonly EnvelopeAddress[]
}

/** A parameter's name and value, both as written. */
export type Parameter = readonly [name: string, value: string]

export interface Disposition {
  type: string
  parameters: readonly Parameter[]
}

/** The description of a body by the header of its part, with the defaults for missing fields. */
export interface Content {
  /** As written, and so is `subtype`: programs compare them without case. */
  type: string
  subtype: string
  parameters: readonly Parameter[]
  /** The next four are not in what BODYSTRUCTURE says of a multipart. */
  id: string | null
  description: string | null
  encoding: string
  md5: string | null
  disposition: Disposition | null
  languages: readonly string[]
  location: string | null
}

interface Place {
  /** Offset of the header in the raw message, of the body, and of the first octet past the body, whose size is `end - bodyAt`. */
  headerAt: number
  bodyAt: number
  end: number
  content: Content
}

export interface TextPart extends Place {
  kind: 'text'
  lines: number
}

/** message/rfc822 or message/global (RFC 6532), opened. IMAP4rev1 without UTF8=ACCEPT knows only the first: the second is written as a basic part. */
export interface MessagePart extends Place {
  kind: 'message'
  lines: number
  envelope: Envelope
  message: Part
}

export interface BasicPart extends Place {
  kind: 'basic'
}

export interface MultiPart extends Place {
  kind: 'multipart'
  /** At least one. */
  parts: readonly Part[]
}

/** A message or one of its parts: what BODYSTRUCTURE says, and where it is. */
export type Part = TextPart | MessagePart | BasicPart | MultiPart

/** The kind of text that a section selects, after its part number (RFC 9051 §6.4.5.1). */
export type SectionText =
  | { kind: 'whole' }
  | { kind: 'header' }
  /** Only these fields, or `not` these. Names are compared without case. */
  | { kind: 'fields'; names: readonly string[]; not: boolean }
  | { kind: 'text' }
  | { kind: 'mime' }

export interface Section {
  /** `[2, 1]` for `2.1`; empty for the message itself. */
  path: readonly number[]
  text: SectionText
}

/** `<offset.length>` of a partial fetch. */
export interface PartialRange {
  offset: number
  length: number
}
