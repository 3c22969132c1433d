/** What tokens are for (RFC 8707). This server has one resource, the MCP server; its clients name it by its own address or by that of the whole server. */

export interface Resources {
  /** What is meant when nothing is named. */
  readonly standard: string
  /** All that a token at the MCP server may be for. */
  readonly all: readonly string[]
  /** What a client named, in its one form; undefined for what is not here. */
  named(text: string): string | undefined
}

/** @param baseUrl without a slash at its end */
export function createResources(baseUrl: string): Resources {
  const mcp = `${baseUrl}/mcp`
  return {
    standard: mcp,
    all: [mcp, baseUrl],
    named(text) {
      // RFC 3986 §6.2.3: without a path and with an empty one are the same address.
      if (text === baseUrl || text === `${baseUrl}/`) return baseUrl
      return text === mcp ? mcp : undefined
    },
  }
}

/** What was asked for, of all `resource` parameters; undefined when it is not one that is here. */
export function resourceOf(resources: Resources, params: URLSearchParams): string | undefined {
  const asked = params.getAll('resource').filter((text) => text !== '')
  if (asked.length === 0) return resources.standard
  return asked.length === 1 ? resources.named(asked[0] ?? '') : undefined
}
