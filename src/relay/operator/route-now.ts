/** Where mail for a domain would go if it were tried now, for an operator who looks at it. */
import type { Route } from '../routing/route.js'
import { createRouting } from '../routing/routes.js'
import type { RoutingDeps } from '../routing/routes.js'

export interface RouteNowDeps extends RoutingDeps {
  isLocalDomain: (domain: string) => boolean
  isSimulated: (domain: string) => boolean
}

/** @returns null for a domain whose mail stays here */
export function createRouteFinder(deps: RouteNowDeps): (domain: string) => Promise<Route | null> {
  const routing = createRouting({ ...deps, tlsResults: undefined })
  return async (domain) => {
    if (deps.isLocalDomain(domain) || deps.isSimulated(domain)) return null
    return routing.find(domain, { requireTls: false, anyTls: false })
  }
}
