/** A command as it was received: text between literals, and the literals (RFC 9051 §4.3). The first and the last segment are text. */

export interface TextSegment {
  kind: 'text'
  /** Without CRLF and without the announcement of the literal that follows. No NUL, CR or LF. */
  octets: Buffer
}

export interface LiteralSegment {
  kind: 'literal'
  size: number
  /** Announced as `~{n}`: may contain NUL (RFC 3516 §4.4). */
  isLiteral8: boolean
  /** Undefined if its octets were handed out as they came, or if they are still to come. */
  octets: Buffer | undefined
}

export type Segment = TextSegment | LiteralSegment
