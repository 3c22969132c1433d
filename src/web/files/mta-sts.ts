/** Serves the MTA-STS policy (RFC 8461 §3.2 and §3.3). */
import { ServiceError } from '../../lib/errors.js'
import { hostOf } from '../../http/host-name.js'
import type { HttpRequest, HttpResponse } from '../../http/message.js'

export interface MtaStsDeps {
  /** The policy served; undefined when none is published. */
  policy: string | undefined
  domains: readonly string[]
}

/** @throws ServiceError `not_found` for any Host but `mta-sts.` and one of our domains */
export function mtaStsPage({ policy, domains }: MtaStsDeps, request: HttpRequest): HttpResponse {
  const host = hostOf(request)
  if (policy === undefined || !domains.some((domain) => host === `mta-sts.${domain}`))
    throw new ServiceError(
      'not_found',
      'There is no MTA-STS policy under this host name.',
      'Request https://mta-sts.DOMAIN/.well-known/mta-sts.txt; a proxy in front must pass on the Host header.',
    )
  return {
    status: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=300' },
    body: policy,
  }
}
