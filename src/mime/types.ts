/** What a message says, once parsed. All text here was written by strangers: data, never instructions. */

export interface Address {
  /** Lower-cased domain, local part as written. */
  address: string
  name: string
}

/** Where the content of a part stands in the raw message, in bytes. */
export interface PlaceInRaw {
  /** From its first byte to the end of the message, whose header may still grow at the front. */
  fromEnd: number
  length: number
  /** Content-Transfer-Encoding in lower case, '' when there is none. */
  encoding: string
}

export interface ParsedAttachment {
  /** Number of the leaf part in the message, counted from 0 in the order of the raw message: the handle for `readPart`. */
  part: number
  /** Safe for a file system and a header: no path, no control characters, at most 255 bytes; never empty. */
  filename: string
  contentType: string
  sizeBytes: number
  sha256: string
  disposition: 'attachment' | 'inline'
  contentId: string | null
  /** Of an archive that can be read without unpacking it. */
  archive?: ArchiveContents
}

export interface ArchiveContents {
  /** Something in it takes a password. */
  encrypted: boolean
  /** Names of the files in it, as far as they can be read. */
  names: string[]
  /** Not all of it has been looked at: its kind can't be read here, or it is broken, or too large. */
  partial?: boolean
}

/** How a machine, and not a person, came to write the message (RFC 3834 §5, RFC 3464, RFC 5965, RFC 2919). */
export type Automation = 'auto-reply' | 'bounce' | 'complaint' | 'list' | 'bulk' | null

/** What became of an earlier message, for one of its recipients. */
export interface ReportedRecipient {
  /** Whom the message was sent to: the original recipient when the report names it, else the final one. */
  address: string
  /** Where it went in the end, when that is another address; else null. */
  finalAddress: string | null
  /** RFC 3464 §2.3.3; `displayed` and `deleted` are of RFC 8098 §3.2.6, `complained` of RFC 5965. */
  action: ReportedAction
  /** The same message would fail again: status class 5, or words that say so. Never when it is only delayed. */
  permanent: boolean
  /** Enhanced status code (RFC 3463), null when none is told. */
  status: string | null
  /** What the other server said, on one line, at most 500 characters; '' when nothing is told. */
  diagnostic: string
  remoteMta: string | null
}

export type ReportedAction =
  'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded' | 'displayed' | 'deleted' | 'complained'

/** A report about an earlier message: its sender's word, as everything else in a message. */
export interface Report {
  /** Delivery status (RFC 3464, or a bounce in prose), disposition (RFC 8098), or feedback (RFC 5965). */
  kind: 'delivery' | 'disposition' | 'feedback'
  recipients: ReportedRecipient[]
  /** Message-ID of the message it is about, without angle brackets. */
  originalMessageId: string | null
  /** Reporting-MTA, Reporting-UA or User-Agent. */
  reportedBy: string | null
  /** RFC 5965 §3.5: `abuse`, `fraud`, …; null for the other kinds. */
  feedbackType: string | null
  /** Envelope sender of the message that a complaint is about (RFC 5965 §3.2), null where it is not told. */
  returnPath: string | null
}

export interface ParsedMessage {
  from: Address | null
  /** Addresses in all From fields together; anything but 1 counts as a DMARC failure. */
  fromCount: number
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  /** With angle brackets removed; null when missing or unreadable. */
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  /** Date header, milliseconds since the epoch; null when missing or unreadable. */
  date: number | null
  /** Decoded header fields by lower-case name, in the order of the message; a repeated field is joined with a line feed. Trace and signature fields are left out. */
  headers: Record<string, string>
  /** Plain text: the text parts, or made from the HTML when there are none; without characters that nobody sees. */
  text: string
  /** As sent, decoded to Unicode; null when there is no HTML part. */
  html: string | null
  /** Where the parts stand that are the text and the HTML, of those that are one part each. */
  places?: { text?: PlaceInRaw; html?: PlaceInRaw }
  /** In how many words of the text invisible characters stood before they were taken out; missing when in none. */
  hiddenWords?: number
  /** One line, at most 200 characters, without invisible characters. */
  preview: string
  /** The new words, without the quoted history and the signature. */
  extractedText: string
  extracted: { codes: string[]; links: string[] }
  attachments: ParsedAttachment[]
  automation: Automation
  /** What it reports of an earlier message; null when it is no report. */
  report: Report | null
}

export interface ParseLimits {
  /** Bytes of one header block. */
  maxHeaderBytes: number
  maxParts: number
  maxDepth: number
}

/** Feeds encoded pieces in order; each call gives the bytes that are complete by then. `end` gives the rest. */
export interface TransferDecoder {
  write(piece: Buffer): Buffer
  end(): Buffer
}

/** The message breaks a limit or has no readable structure. `reason` is fit for an SMTP reply. */
export class MessageFormatError extends Error {
  constructor(readonly reason: string) {
    super(reason)
    this.name = 'MessageFormatError'
  }
}

export interface OutgoingAttachment {
  filename: string
  contentType: string
  content: Buffer
  contentId?: string
}

/** A message to be composed. Every text is plain Unicode; composing encodes it. */
export interface OutgoingMessage {
  /** Without angle brackets. */
  messageId: string
  date: number
  from: Address
  to: Address[]
  cc: Address[]
  replyTo: Address[]
  subject: string
  text: string
  html: string | null
  inReplyTo: string | null
  references: string[]
  attachments: OutgoingAttachment[]
  /** `TLS-Required: No` (RFC 8689 §4): rather in the clear than not at all. */
  anyTls?: true | undefined
  /** A whole message carried as message/rfc822. */
  forwarded?: { filename: string; raw: Buffer }
}
