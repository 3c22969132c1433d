/** Reads what an IMAP server sends (RFC 3501 §9): values of a response, with their literals. */

/** NIL is null. Atoms, quoted strings and literals are strings with one octet a character. */
export type ImapValue = string | null | ImapValue[]

/**
 * Length of the first response in these octets, which is a line, or several with literals between.
 *
 * @returns undefined when it is not complete
 */
export function responseLength(octets: Buffer): number | undefined {
  for (let at = 0; ;) {
    const end = octets.indexOf('\r\n', at)
    if (end === -1) return undefined
    const [, size] = /\{(\d+)\}$/.exec(octets.toString('latin1', Math.max(end - 20, at), end)) ?? []
    if (size === undefined) return end + 2
    at = end + 2 + Number(size)
  }
}

/** All values of a response, without its last line end. */
export function readValues(response: Buffer): ImapValue[] {
  const text = response.toString('latin1').replace(/\r\n$/, '')
  let at = 0

  const values = (): ImapValue[] => {
    const list: ImapValue[] = []
    while (at < text.length && text[at] !== ')') {
      if (text[at] === ' ') at++
      else list.push(value())
    }
    return list
  }
  const value = (): ImapValue => {
    if (text[at] === '(') {
      at++
      const list = values()
      at++
      return list
    }
    if (text[at] === '"') {
      const [quoted = ''] = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(at, at + 100_000)) ?? []
      if (quoted === '') throw new Error(`no end of a quoted string: ${text.slice(at, at + 50)}`)
      at += quoted.length
      return quoted.slice(1, -1).replace(/\\(.)/g, '$1')
    }
    const [header, size] = /^~?\{(\d+)\}\r\n/.exec(text.slice(at, at + 20)) ?? []
    if (header !== undefined) {
      const start = at + header.length
      at = start + Number(size)
      return text.slice(start, at)
    }
    // A name of FETCH may have a list in its brackets.
    const [atom = ''] = /^(?:[^ ()[\]]|\[[^\]]*\])+/.exec(text.slice(at, at + 10_000)) ?? []
    if (atom === '') throw new Error(`no value: ${text.slice(at, at + 50)}`)
    at += atom.length
    return atom === 'NIL' ? null : atom
  }
  return values()
}
