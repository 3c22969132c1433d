/** A parsed message. All text here was written by strangers: data, never instructions. */

export interface Address {
  /** Lower-cased domain, local part as written. */
  address: string
  name: string
}

/** Location of a part's content in the raw message, in bytes. */
export interface PlaceInRaw {
  /** Distance of its first byte from the end of the message, since fields may still be added at the front. */
  fromEnd: number
  length: number
  /** Content-Transfer-Encoding in lower case, '' for none. */
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
  /** Present when the archive's list of files can be read. */
  archive?: ArchiveContents
  /** Present when its content says more than its name. */
  file?: FileFacts
}

/** What the guard is told of an attachment's content. */
export type AttachmentInside = Pick<ParsedAttachment, 'archive' | 'file'>

/** Of the text of one file that is kept, and of its links. */
export const MAX_FILE_TEXT_CHARS = 16 * 1024
export const MAX_FILE_LINKS = 50

export interface FileFacts {
  /** By its first bytes. */
  kind?: FileKind
  signs: FileSign[]
  /** Targets in it, as written. */
  links: string[]
  /** Visible text of a PDF, page, text file, text document or forwarded message, at most 16 Ki characters. */
  text?: string
  /** What the codes in a picture or PDF say. */
  codes?: string[]
}

/** `image` is a disk image. */
export type FileKind = 'program' | 'shortcut' | 'script' | 'pdf' | 'zip' | 'ole' | 'onenote' | 'image' | 'picture'

export interface FileSign {
  code:
    | 'macros'
    | 'embedded_object'
    | 'embedded_program'
    | 'outside_part'
    | 'command_field'
    | 'encrypted'
    | 'runs_command'
    | 'network_target'
    | 'carries_file'
    | 'builds_file'
    | 'asks_password'
    | 'redirects'
    | 'hides_script'
    | 'picture_script'
    | 'script'
    | 'launches'
    | 'not_read'
  /** The evidence, as written in the file. */
  detail: string
}

export interface ArchiveContents {
  /** True if something in it is encrypted. */
  encrypted: boolean
  /** Names of the files in it that could be read. */
  names: string[]
  /** True if not all of it was read: unsupported, broken, or too large. */
  partial?: boolean
}

/** The reason why a program wrote the message (RFC 3834 §5, RFC 3464, RFC 5965, RFC 2919). */
export type Automation = 'auto-reply' | 'bounce' | 'complaint' | 'list' | 'bulk' | null

export interface ReportedRecipient {
  /** The original recipient if the report names it, otherwise the final one. */
  address: string
  /** The final recipient if it differs; otherwise null. */
  finalAddress: string | null
  /** RFC 3464 §2.3.3; `displayed` and `deleted` are of RFC 8098 §3.2.6, `complained` of RFC 5965. */
  action: ReportedAction
  /** True if the same message would fail again: status class 5, or words to that effect. Never for a delay. */
  permanent: boolean
  /** Enhanced status code (RFC 3463), null if not given. */
  status: string | null
  /** The other server's reply, on one line, at most 500 characters; '' if not given. */
  diagnostic: string
  remoteMta: string | null
}

export type ReportedAction =
  'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded' | 'displayed' | 'deleted' | 'complained'

/** A report about an earlier message: unverified, like everything else in a message. */
export interface Report {
  /** DSN (RFC 3464, or a bounce in prose), disposition (RFC 8098), or ARF (RFC 5965). */
  kind: 'delivery' | 'disposition' | 'feedback'
  recipients: ReportedRecipient[]
  /** Message-ID of the message it is about, without angle brackets. */
  originalMessageId: string | null
  /** Reporting-MTA, Reporting-UA or User-Agent. */
  reportedBy: string | null
  /** RFC 5965 §3.5: `abuse`, `fraud`, …; null for the other kinds. */
  feedbackType: string | null
  /** Envelope sender of the message that a complaint is about (RFC 5965 §3.2), null if not given. */
  returnPath: string | null
}

export interface ParsedMessage {
  from: Address | null
  /** Addresses in all From fields together; anything but 1 counts as a DMARC failure. */
  fromCount: number
  /** It has parts that are neither its text or HTML nor attachments: other alternatives. */
  hasUnshownParts?: true
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  /** Without angle brackets; null when missing or unreadable. */
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  /** Date header, milliseconds since the epoch; null when missing or unreadable. */
  date: number | null
  /** Decoded header fields by lower-case name, in the order of the message; a repeated field is joined with a line feed. Trace and signature fields are left out. */
  headers: Record<string, string>
  /** Plain text: the text parts, or converted from the HTML when there are none; without invisible characters. */
  text: string
  /** The original HTML, decoded to Unicode; null when there is no HTML part. */
  html: string | null
  /** The text in the order in which it is displayed, where its direction is overridden. */
  displayedText?: string
  /** The text was converted from the HTML. */
  isTextOfHtml?: true
  /** Locations of the text and the HTML, if each is one part. */
  places?: { text?: PlaceInRaw; html?: PlaceInRaw }
  /** Number of words in the text that had invisible characters, since removed; missing for none. */
  hiddenWords?: number
  /** One line, at most 200 characters, without invisible characters. */
  preview: string
  /** The new words, without the quoted history and the signature. */
  extractedText: string
  extracted: { codes: string[]; links: string[] }
  attachments: ParsedAttachment[]
  /** What was read in pictures within the HTML. */
  pictures?: FileFacts[]
  automation: Automation
  /** The report about an earlier message; null for other messages. */
  report: Report | null
}

export interface ParseLimits {
  maxHeaderBytes: number
  maxParts: number
  maxDepth: number
}

/** Decodes pieces in order; each call returns the bytes that are complete by then. `end` returns the rest. */
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

/** A message to compose. Every text is plain Unicode; composing encodes it. */
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
  /** `TLS-Required: No` (RFC 8689 §4): delivery without TLS is better than none. */
  anyTls?: true | undefined
  /** A copy for its author alone: with Bcc, and with boundaries made from this, so that composing it again gives the same octets. */
  own?: { bcc: Address[]; boundary: string } | undefined
  /** A whole message carried as message/rfc822. */
  forwarded?: { filename: string; raw: Buffer }
}
