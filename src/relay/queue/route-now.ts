/** Where mail for a domain would go if it were tried now, for an operator who looks at it. */
import { findRoute, findSmarthost } from '../route.js'
import type { Route, RouteDeps } from '../route.js'

export interface RouteNowDeps extends RouteDeps {
  isLocalDomain: (domain: string) => boolean
  isSimulated: (domain: string) => boolean
  smarthost?: { host: string; port: number } | undefined
}

/** @returns null for a domain whose mail stays here */
export function createRouteFinder(deps: RouteNowDeps): (domain: string) => Promise<Route | null> {
  return async (domain) => {
    if (deps.isLocalDomain(domain) || deps.isSimulated(domain)) return null
    return deps.smarthost ? findSmarthost(deps.resolver, deps.smarthost) : findRoute(deps, domain)
  }
}
