/** What a message asks of the way it goes, in its own header (RFC 8689). */

export interface TlsNeeds {
  /** Only over TLS with a genuine certificate, to servers that promise the same. */
  requireTls: boolean
  /** Rather in the clear than not at all: policies of the receiving domain don't count (`TLS-Required: No`, RFC 8689 §5). */
  anyTls: boolean
}

/** The header that our own messages carry when their sender asks for TLS on the whole way; RFC 8689 has none for it, only a parameter of MAIL. */
const FIELD = /(?:^|\n)TLS-Required[ \t]*:[ \t]*(no|yes)[ \t]*\r?\n/i
const HEADER_END = Buffer.from('\r\n\r\n')

export function tlsNeeds(raw: Buffer): TlsNeeds {
  const end = raw.indexOf(HEADER_END)
  const header = raw.toString('latin1', 0, end < 0 ? raw.length : end + 2)
  const says = FIELD.exec(header)?.[1]?.toLowerCase()
  return { requireTls: says === 'yes', anyTls: says === 'no' }
}
