/** Mailbox names of IMAP4rev1 in modified UTF-7 (RFC 3501 §5.1.3). */

const ENCODED = /^(?:[\x20-\x25\x27-\x7e]|&[A-Za-z0-9+,]*-)*$/

export function encodeModifiedUtf7(text: string): string {
  return text.replace(/&|[^\x20-\x7e]+/g, (run) =>
    run === '&' ? '&-' : `&${utf16be(run).toString('base64').replace(/=+$/, '').replace(/\//g, ',')}-`,
  )
}

/** @returns undefined if the text is not what `encodeModifiedUtf7` makes of its meaning: each name has one form only */
export function decodeModifiedUtf7(text: string): string | undefined {
  if (!ENCODED.test(text)) return undefined
  const decoded = text.replace(/&([A-Za-z0-9+,]*)-/g, (_shift, base64: string) =>
    base64 === '' ? '&' : textOf(Buffer.from(base64.replace(/,/g, '/'), 'base64')),
  )
  return !/\p{Cs}/u.test(decoded) && encodeModifiedUtf7(decoded) === text ? decoded : undefined
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

function textOf(octets: Buffer): string {
  return Buffer.from(octets.subarray(0, octets.length - (octets.length % 2)))
    .swap16()
    .toString('utf16le')
}
