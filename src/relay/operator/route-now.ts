/** The current route of a domain, for operators. */
import type { Route } from '../routing/route.js'
import type { Routing } from '../routing/routes.js'

export interface RouteNowDeps {
  /** A routing that records nothing for TLS reports. */
  routing: Pick<Routing, 'find'>
  staysHere: (domain: string) => boolean
}

/** @returns null for a local domain */
export function createRouteFinder(deps: RouteNowDeps): (domain: string) => Promise<Route | null> {
  return async (domain) => {
    if (deps.staysHere(domain)) return null
    return deps.routing.find(domain, { requireTls: false, anyTls: false })
  }
}
