/** Headers for untrusted files: a download that no browser renders, with a safe name. */

/** Nothing in it may run, load or be framed, whatever type a browser assumes. */
const SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'"

/**
 * Headers of a download.
 *
 * The type is kept if it is a plain `type/subtype`, since the file is only saved; RFC 6266 §4.3 and RFC 8187 give the name twice: in ASCII for old clients, and
 * as percent-encoded UTF-8.
 *
 * @param charset of text, if declared
 */
export function downloadHeaders(filename: string, contentType: string, charset = ''): Record<string, string> {
  const type = contentType.trim().toLowerCase()
  const isPlain = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(type)
  // RFC 2978 §2.3: charset names; only for text.
  const isText = type.startsWith('text/') && /^[\w!#$%&'+^`{}~.:-]{1,40}$/.test(charset)
  return {
    'Content-Type': isPlain ? type + (isText ? `; charset="${charset}"` : '') : 'application/octet-stream',
    'Content-Disposition': attachmentDisposition(filename),
    'Content-Security-Policy': SANDBOX,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

function attachmentDisposition(filename: string): string {
  // Lone surrogates cannot be encoded; paths are stripped; invisible characters could reverse a name (RFC 6266 §4.3, §5).
  const name =
    filename
      .replace(/\p{Cs}/gu, '_')
      .replace(/[/\\]/g, '_')
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
      .replace(/^[. ]+|[. ]+$/g, '') || 'file'
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return ascii === name
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
