/** The next hop of a domain: an operator's route, else the smart host, else its MX. */
import { domainToASCII } from 'node:url'
import { type ChosenHost, type Route, type RouteDeps, findChosenHost, findRoute } from './route.js'
import { type Security, type TlsMode, isEncrypted } from '../tls/security.js'
import { onlyProven, type TlsNeeds } from './tls-needs.js'

export interface Smarthost {
  host: string
  /** 465 is implicit TLS (RFC 8314). */
  port: number
  /** Default: with a password TLS with a valid certificate, else opportunistic. */
  tls?: Extract<TlsMode, 'opportunistic' | 'required' | 'implicit' | 'none'> | undefined
  auth?: { user: string; password: string } | undefined
  /** Additional trusted certificates (PEM). */
  ca?: string | undefined
}

export interface RouteRule {
  /** `example.com` is the domain itself, `.example.com` its subdomains, `*` everything. Lower-case A-labels. */
  domains: string[]
  /** `direct`: by the domain's MX. */
  to: 'direct' | Smarthost
}

export interface RoutingDeps extends RouteDeps {
  /** The most specific one wins. */
  routes?: RouteRule[] | undefined
  smarthost?: Smarthost | undefined
}

export type Routing = ReturnType<typeof createRouting>

export function createRouting(deps: RoutingDeps) {
  const byPattern = new Map<string, ChosenHost | undefined>()
  for (const { domains, to } of deps.routes ?? []) {
    const host = to === 'direct' ? undefined : chosenHost(to, 'relay.routes')
    for (const domain of domains) if (!byPattern.has(domain)) byPattern.set(domain, host)
  }
  const fallback = deps.smarthost ? chosenHost(deps.smarthost, 'relay.smarthost') : undefined

  function hopOf(asGiven: string): ChosenHost | undefined {
    if (byPattern.size === 0) return fallback
    const domain = domainToASCII(asGiven)
    if (byPattern.has(domain)) return byPattern.get(domain)
    for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
      const pattern = domain.slice(dot)
      if (byPattern.has(pattern)) return byPattern.get(pattern)
    }
    return byPattern.has('*') ? byPattern.get('*') : fallback
  }

  return {
    /** Never throws for DNS results. */
    async find(domain: string, needs: TlsNeeds): Promise<Route> {
      const hop = hopOf(domain)
      const route = hop
        ? await findChosenHost(deps.resolver, hop)
        : await findRoute(needs.anyTls ? { ...deps, dane: false, mtaSts: undefined } : deps, domain)
      return needs.requireTls ? onlyProven(route, domain) : route
    },
    /** Name under which deliveries to a domain are counted: its own, or that of the chosen host. */
    lineOf(domain: string): string {
      const hop = hopOf(domain)
      return hop ? `(${hop.host}:${hop.port})` : domain
    },
    /**
     * The name for mail that ignores the domain's TLS policies: it may be delivered while other mail waits. Undefined for chosen hosts, which take all mail on
     * the same terms. It ends like the domain, so that domain commands match it.
     */
    anyTlsLineOf: (domain: string): string | undefined => (hopOf(domain) ? undefined : `any TLS.${domain}`),
    /** True if the name is that of a chosen host; no domain starts like this. */
    isChosen: (line: string): boolean => line.startsWith('('),
  }
}

function chosenHost({ host, port, tls, auth, ca }: Smarthost, setting: ChosenHost['setting']): ChosenHost {
  const mode = tls ?? (port === 465 ? 'implicit' : auth ? 'required' : 'opportunistic')
  const security: Security = { tls: mode, auth, ca }
  return { host, port, setting, security: isEncrypted(security) ? { ...security, because: setting } : security }
}
