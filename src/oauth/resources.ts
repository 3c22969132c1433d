/** Resources of tokens (RFC 8707). This server has one, the MCP server; clients name it by its own URL or by that of the whole server. */

export type Resources = ReturnType<typeof createResources>

/** @param baseUrl without a trailing slash */
export function createResources(baseUrl: string) {
  const mcp = `${baseUrl}/mcp`
  return {
    /** The default. */
    standard: mcp,
    /** All resources that the MCP server accepts in tokens. */
    all: [mcp, baseUrl],
    /** A named resource in its normal form; undefined for unknown ones. */
    named(text: string): string | undefined {
      // RFC 3986 §6.2.3: an empty path equals a missing one.
      if (text === baseUrl || text === `${baseUrl}/`) return baseUrl
      return text === mcp ? mcp : undefined
    },
  }
}

/** The requested resource of all `resource` parameters; undefined for an unknown one. */
export function resourceOf(resources: Resources, params: URLSearchParams): string | undefined {
  const asked = params.getAll('resource').filter((text) => text !== '')
  if (asked.length === 0) return resources.standard
  return asked.length === 1 ? resources.named(asked[0] ?? '') : undefined
}
