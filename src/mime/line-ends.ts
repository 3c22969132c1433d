/** Line ends of messages that come from files and mail programs: CRLF, as everywhere in mail (RFC 5322 §2.3). */
const CR = 0x0d
const LF = 0x0a

/** The same message with every bare LF as CRLF; the same buffer if there is none. A bare CR stays: it ends no line. */
export function withCrlf(raw: Buffer): Buffer {
  let bare = 0
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) if (raw[at - 1] !== CR) bare++
  if (bare === 0) return raw
  const out = Buffer.allocUnsafe(raw.length + bare)
  let end = 0
  let from = 0
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) {
    if (raw[at - 1] === CR) continue
    end += raw.copy(out, end, from, at)
    out[end++] = CR
    from = at
  }
  raw.copy(out, end, from)
  return out
}
