/** Adds a signature to an outgoing message: after the separator that mail programs know (RFC 3676 §4.3), and above the quoted history. */

export interface Signature {
  text: string
  /** Made from the text if null. */
  html: string | null
}

const SEPARATOR = '-- '
/** Marks of history in HTML by various programs; bounded, since a whole message may be one open tag. */
const HTML_HISTORY = /<(?:div|blockquote)\s[^>]{0,300}?(?:gmail_quote|type=["']?cite)/i
const HTML_END = /<\/body\s{0,10}>/i

export function signedText(text: string, { text: signature }: Signature): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const at = historyStart(lines)
  const above = lines.slice(0, at).join('\n').trimEnd()
  const below = lines.slice(at).join('\n').trim()
  return `${above === '' ? '' : `${above}\n\n`}${SEPARATOR}\n${signature}${below === '' ? '' : `\n\n${below}`}`
}

export function signedHtml(html: string, signature: Signature): string {
  const block = `<div class="signature">${SEPARATOR}<br>\n${signature.html ?? asHtml(signature.text)}</div>\n`
  const at = HTML_HISTORY.exec(html)?.index ?? HTML_END.exec(html)?.index ?? html.length
  return html.slice(0, at) + block + html.slice(at)
}

/** Index of the line that introduces the quoted history at the end; the number of lines for none. */
function historyStart(lines: string[]): number {
  let at = lines.length
  let isQuoting = false
  for (; at > 0; at--) {
    const line = lines[at - 1] ?? ''
    if (line.startsWith('>')) isQuoting = true
    else if (line.trim() !== '') break
  }
  if (!isQuoting) return lines.length
  return (lines[at - 1] ?? '').trimEnd().endsWith(':') ? at - 1 : at
}

function asHtml(text: string): string {
  const escaped = text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
  return escaped.replaceAll('\n', '<br>\n')
}
