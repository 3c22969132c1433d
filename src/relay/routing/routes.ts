/** The next hop of each domain: a route the operator set for it, else the smart host, else its own MX. */
import { domainToASCII } from 'node:url'
import { type ChosenHost, type Route, type RouteDeps, findChosenHost, findRoute } from './route.js'
import { type Security, type TlsMode, isEncrypted } from '../tls/security.js'
import { onlyProven, type TlsNeeds } from './tls-needs.js'

/** A host that takes mail for us. */
export interface Smarthost {
  /** Name or address. */
  host: string
  /** 465 is TLS from the start (RFC 8314). */
  port: number
  /** When not given: TLS with a valid certificate where there is a password to be told, else what the host can. */
  tls?: Extract<TlsMode, 'opportunistic' | 'required' | 'implicit' | 'none'> | undefined
  auth?: { user: string; password: string } | undefined
  /** Certificates to trust beside the usual ones (PEM). */
  ca?: string | undefined
}

export interface RouteRule {
  /** `example.com` is the domain itself, `.example.com` all under it, `*` all there are. In A-labels and lower case. */
  domains: string[]
  /** `direct` is by the domain's own MX. */
  to: 'direct' | Smarthost
}

export interface RoutingDeps extends RouteDeps {
  /** The most specific one counts. */
  routes?: RouteRule[] | undefined
  /** Takes what no route is for. */
  smarthost?: Smarthost | undefined
}

export interface Routing {
  /** Never throws for what DNS says. */
  find(domain: string, needs: TlsNeeds): Promise<Route>
  /** Under which name deliveries to a domain are counted together: its own, or that of the host that takes them. */
  lineOf(domain: string): string
  /**
   * The same for mail to which the domain's promises of TLS don't count: it may go while other mail waits for them to be kept. Undefined where
   * the operator chose the host, since it takes all mail on the same terms.
   */
  anyTlsLineOf(domain: string): string | undefined
  /** Whether such a name is that of a host the operator chose. */
  isChosen(line: string): boolean
}

export function createRouting(deps: RoutingDeps): Routing {
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
    async find(domain, needs) {
      const hop = hopOf(domain)
      const route = hop
        ? await findChosenHost(deps.resolver, hop)
        : await findRoute(needs.anyTls ? { ...deps, dane: false, mtaSts: undefined } : deps, domain)
      return needs.requireTls ? onlyProven(route, domain) : route
    },
    lineOf(domain) {
      const hop = hopOf(domain)
      return hop ? `(${hop.host}:${hop.port})` : domain
    },
    // It ends as the domain does, so that what is said of a domain and its subdomains is said of it too.
    anyTlsLineOf: (domain) => (hopOf(domain) ? undefined : `any TLS.${domain}`),
    // No domain begins so.
    isChosen: (line) => line.startsWith('('),
  }
}

function chosenHost({ host, port, tls, auth, ca }: Smarthost, setting: ChosenHost['setting']): ChosenHost {
  const mode = tls ?? (port === 465 ? 'implicit' : auth ? 'required' : 'opportunistic')
  const security: Security = { tls: mode, auth, ca }
  return { host, port, setting, security: isEncrypted(security) ? { ...security, because: setting } : security }
}
