/** Where mail for a domain would go if it were tried now, for an operator who looks at it. */
import type { Route } from '../routing/route.js'
import type { Routing } from '../routing/routes.js'

export interface RouteNowDeps {
  /** One that counts nothing for TLS reports. */
  routing: Pick<Routing, 'find'>
  staysHere: (domain: string) => boolean
}

/** @returns null for a domain whose mail stays here */
export function createRouteFinder(deps: RouteNowDeps): (domain: string) => Promise<Route | null> {
  return async (domain) => {
    if (deps.staysHere(domain)) return null
    return deps.routing.find(domain, { requireTls: false, anyTls: false })
  }
}
