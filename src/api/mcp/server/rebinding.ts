/**
 * Checks Origin and Host against DNS rebinding (MCP, streamable HTTP, security). A malicious page can point its own domain at this
 * server's address; the browser then sends the page in Origin and that domain in Host.
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

/** Accepts the name in server.base_url, IP addresses and localhost, on any port: proxies change ports, and rebinding needs a foreign name. */
function isOurs(host: string, baseUrl: URL): boolean {
  if (host === baseUrl.host) return true
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname, pathname, search, hash, username, password } = new URL(`http://${host}`)
  if (pathname !== '/' || search || hash || username || password) return false
  return hostname === baseUrl.hostname || hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}
