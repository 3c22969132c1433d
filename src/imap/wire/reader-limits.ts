/** Limits of what a client may send in one command. */

export interface ReaderLimits {
  /** Of one line of text, without CRLF. RFC 7162 §4 asks for 8,192 at least. */
  maxLineBytes: number
  /** Of a literal, unless the owner of the reader decides on it. */
  maxLiteralBytes: number
  maxLiterals: number
  /** Of text and literals together, without literals that the owner decides on. */
  maxCommandBytes: number
  /** What is read and dropped of a refused command, to find its end. Beyond it the connection has to be closed. */
  maxDroppedBytes: number
}

/** Until somebody has signed in: nothing but names and passwords is of use. */
export const LIMITS_BEFORE_SIGN_IN: ReaderLimits = {
  maxLineBytes: 8192,
  maxLiteralBytes: 1024,
  maxLiterals: 4,
  maxCommandBytes: 12 * 1024,
  maxDroppedBytes: 64 * 1024,
}

/** A line has room for a set of thousands of UIDs, as programs send it. */
export const LIMITS_SIGNED_IN: ReaderLimits = {
  maxLineBytes: 64 * 1024,
  maxLiteralBytes: 64 * 1024,
  maxLiterals: 200,
  maxCommandBytes: 256 * 1024,
  maxDroppedBytes: 1024 * 1024,
}
