/** TLS requirements of a message (RFC 8689), and the routes that meet them. */
import type { Message } from '../../mailbox/objects/objects.js'
import type { Route } from './route.js'
import type { Security } from '../tls/security.js'

export interface TlsNeeds {
  /** REQUIRETLS: only over TLS, to proven servers that promise the same (RFC 8689 §2). */
  requireTls: boolean
  /** `TLS-Required: No`: ignores the receiving domain's policies (RFC 8689 §5). */
  anyTls: boolean
}

/** Advice to the sender of a message that bounces for it. */
export const WITHOUT_REQUIRE_TLS =
  'send it again without require_tls, or forward it with require_tls false, if it may go unprotected, or use another way'

const FIELD = /(?:^|\n)TLS-Required[ \t]*:[ \t]*no[ \t]*\r?\n/i
const HEADER_END = Buffer.from('\r\n\r\n')

export function tlsNeeds({ require_tls: requireTls }: Pick<Message, 'require_tls'>, raw: Buffer): TlsNeeds {
  // RFC 8689 §3: the field is ignored with REQUIRETLS.
  return requireTls ? { requireTls, anyTls: false } : { requireTls: false, anyTls: saysNo(raw) }
}

function saysNo(raw: Buffer): boolean {
  const end = raw.indexOf(HEADER_END)
  return FIELD.test(raw.toString('latin1', 0, end < 0 ? raw.length : end + 2))
}

/** The part of a route that meets REQUIRETLS (RFC 8689 §2): proven hosts, with certificates checked whatever the domain's policy. */
export function onlyProven(route: Route, domain: string): Route {
  if (route.kind !== 'targets') return route
  const targets = route.targets
    .filter(({ unproven }) => unproven !== true)
    .map((target) => ({ ...target, security: genuine(target.security) }))
  if (targets.length > 0) return { kind: 'targets', targets }
  const host = route.targets[0]?.host ?? domain
  const detail = `5.7.10 neither DNSSEC nor an MTA-STS policy proves that ${host} is the MX of ${domain}, which require_tls asks for; ${WITHOUT_REQUIRE_TLS}`
  return { kind: 'failed', smtpCode: null, detail }
}

function genuine(security: Security): Security {
  if (security.tls === 'dane' || security.tls === 'required' || security.tls === 'implicit') return security
  return { ...security, tls: 'required', because: security.because ?? 'the sender of the message' }
}
