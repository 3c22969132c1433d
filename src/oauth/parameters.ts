/** Parameters as clients send them, in a query or a form (RFC 6749 §3.1, §3.2). */
import { OAUTH_SCOPES } from './types.js'
import type { OAuthScope } from './types.js'

/** A parameter that was given without a value counts as left out. */
export function valueOf(params: URLSearchParams, name: string): string | undefined {
  return params.get(name) || undefined
}

/** The first name that is given twice. `resource` may be by RFC 8707 §2; who asks for two of them is told so by itself. */
export function givenTwice(params: URLSearchParams): string | undefined {
  const seen = new Set<string>()
  for (const name of params.keys()) {
    if (seen.has(name) && name !== 'resource') return name
    seen.add(name)
  }
  return undefined
}

/** Names of scopes in a list that is separated by blanks. */
export function scopeNames(text: string): string[] {
  return text.split(' ').filter((name) => name !== '')
}

/** Those there are among the names, in their own order. */
export function knownScopes(names: readonly string[]): OAuthScope[] {
  return OAUTH_SCOPES.filter((scope) => names.includes(scope))
}
