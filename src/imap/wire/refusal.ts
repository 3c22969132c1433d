/** How a command is refused before it is executed: the response it gets, and the error that carries it (RFC 9051 §7.1). */

export interface Refusal {
  status: 'NO' | 'BAD'
  /** Without brackets, e.g. `TOOBIG` (RFC 4469 §4.2) or `BADCHARSET (US-ASCII UTF-8)`. */
  code?: string
  /** One line of printable ASCII. */
  text: string
}

/** The only error that parsing a command throws. */
export class BadCommand extends Error {
  override readonly name = 'BadCommand'

  /** @param tag undefined: the command has no valid tag, so the response is untagged */
  constructor(
    readonly tag: string | undefined,
    readonly refusal: Refusal,
  ) {
    super(refusal.text)
  }
}

const MAX_SHOWN = 20

/** A few characters of what a client sent, quoted, for the text of a refusal. */
export function shown(text: string): string {
  const printable = text.slice(0, MAX_SHOWN).replace(/[^ -~]|["\\]/g, '?')
  return `"${printable}${text.length > MAX_SHOWN ? '...' : ''}"`
}
