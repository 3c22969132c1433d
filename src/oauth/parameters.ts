/** Parameters of clients, in a query or a form (RFC 6749 §3.1, §3.2). */
import { OAUTH_SCOPES, type OAuthScope } from './scopes.js'

/** A parameter without a value counts as missing. */
export function valueOf(params: URLSearchParams, name: string): string | undefined {
  return params.get(name) || undefined
}

/** The first repeated name. RFC 8707 §2 allows several of `resource`, which has its own check. */
export function givenTwice(params: URLSearchParams): string | undefined {
  const seen = new Set<string>()
  for (const name of params.keys()) {
    if (seen.has(name) && name !== 'resource') return name
    seen.add(name)
  }
  return undefined
}

/** The scope names in a space-separated list. */
export function scopeNames(text: string): string[] {
  return text.split(' ').filter((name) => name !== '')
}

/** The known scopes among the names, in their own order. */
export function knownScopes(names: readonly string[]): OAuthScope[] {
  return OAUTH_SCOPES.filter((scope) => names.includes(scope))
}
