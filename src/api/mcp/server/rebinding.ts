/**
 * Where a request says it comes from and goes to (MCP, streamable HTTP, security: DNS rebinding). A page may lead a name of its own to the address
 * of this server; its browser then names that page in Origin, and that name in Host.
 */
import { isIP } from 'node:net'

/** @returns what is wrong and what to do, or undefined */
export function rebindingProblem(
  { origin, host }: { origin: string | undefined; host: string | undefined },
  baseUrl: URL,
  allowedOrigins: readonly string[],
): string | undefined {
  if (origin !== undefined && !allowedOrigins.includes(origin))
    return 'Pages of this Origin may not call. Call from outside of a browser, or have the operator add the origin to server.cors_origins.'
  if (host === undefined || !isOurs(host, baseUrl))
    return `This server is not called that. Call ${baseUrl.origin}/mcp; a proxy in front of it has to pass the Host of the request on (nginx: proxy_set_header Host $host).`
  return undefined
}

/**
 * The name in server.base_url; an address or localhost, which nobody can lead elsewhere. The port does not matter: forwarding changes it, and it is
 * the name that a page would lie about.
 */
function isOurs(host: string, baseUrl: URL): boolean {
  if (host === baseUrl.host) return true
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname, pathname, search, hash, username, password } = new URL(`http://${host}`)
  if (pathname !== '/' || search || hash || username || password) return false
  return hostname === baseUrl.hostname || hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}
