/** Cookies of the pages. All are `__Host-`: over TLS or loopback only, for this host alone, out of the reach of scripts (RFC 6265bis §4.1.3.2). */

export type CookieName =
  | '__Host-restante_session'
  | '__Host-restante_device'
  | '__Host-restante_signin'
  | '__Host-restante_mail_signin'
  | '__Host-restante_passkey'

const MAX_HEADER = 8 * 1024

/** The value of a cookie; undefined when missing, or when sent twice: then one was planted. */
export function cookieOf(headers: Readonly<Record<string, string>>, name: CookieName): string | undefined {
  const header = headers['cookie'] ?? ''
  if (header.length > MAX_HEADER) return undefined
  const found = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  const [only] = found
  return found.length === 1 && only !== undefined ? only.slice(name.length + 1) : undefined
}

/** A Set-Cookie field. `Lax`, since the way back from an identity provider comes from elsewhere. @param maxAgeSeconds 0 removes it */
export function setCookie(name: CookieName, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`
}
