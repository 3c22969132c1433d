/** Posts a report by HTTPS (RFC 8460 §5.4). Strangers choose the URL: it cannot reach our network, and redirects are not followed. */
import { isIP } from 'node:net'
import { LookupError, type Resolver } from '../../dns/types.js'
import { messageOf } from '../../lib/thrown.js'
import { SECOND } from '../../lib/clock.js'
import { sendRequest } from '../../lib/http-client.js'
import { isPublicAddress } from '../../lib/ip.js'
import { replyLine, type Outcome } from '../../relay/outcome.js'

export interface ReportPostDeps {
  resolver: Pick<Resolver, 'a' | 'aaaa'>
  /** Also allows loopback, private and link-local addresses, and other ports. */
  allowPrivateAddresses: boolean
}

const TIMEOUT_MS = 30 * SECOND
/** The answer is ignored. */
const MAX_ANSWER_BYTES = 64 * 1024

export async function postReport(deps: ReportPostDeps, target: string, report: Buffer): Promise<Outcome> {
  const url = new URL(target)
  if (url.port !== '' && !deps.allowPrivateAddresses)
    return failed(`reports are posted to port 443, not to ${url.port}`)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  let addresses: string[]
  try {
    addresses = isIP(host) === 0 ? await addressesOf(deps.resolver, host) : [host]
  } catch (error) {
    if (!(error instanceof LookupError)) throw error
    return deferred(error.message)
  }
  const address = addresses.find((one) => deps.allowPrivateAddresses || isPublicAddress(one))
  if (address === undefined) return failed(`${host} has no public address`)
  try {
    const { status } = await sendRequest({
      url,
      address,
      method: 'POST',
      headers: { 'Content-Type': 'application/tlsrpt+gzip' },
      body: report,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      // RFC 8460 §3: the report may be about broken certificates.
      verify: false,
    })
    if (status >= 200 && status < 300) return { kind: 'delivered', smtpCode: null, detail: `HTTP ${status}` }
    return status >= 500 || status === 429 ? deferred(`HTTP ${status}`) : failed(`HTTP ${status}`)
  } catch (error) {
    return deferred(messageOf(error))
  }
}

/** @throws LookupError if DNS gives no answer now */
async function addressesOf(resolver: ReportPostDeps['resolver'], host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.a(host), resolver.aaaa(host)])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  for (const answer of answers) {
    if (answer.status !== 'rejected') continue
    const reason: unknown = answer.reason
    if (!(reason instanceof LookupError) || reason.failure === 'temporary') throw reason
  }
  return []
}

function failed(detail: string): Outcome {
  return { kind: 'failed', smtpCode: null, detail: replyLine(detail) }
}

function deferred(detail: string): Outcome {
  return { kind: 'deferred', smtpCode: null, detail: replyLine(detail) }
}
