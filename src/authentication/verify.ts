/**
 * Who sent a message: SPF (RFC 7208), DKIM (RFC 6376, RFC 8301, RFC 8463), DMARC (RFC 9989) and ARC (RFC 8617), by mailauth in
 * its strict mode, which refuses SHA-1, RSA keys under 1024 bits and signatures that don't cover From.
 *
 * Each method is called by itself: a message without signatures is not read at all but for its From field, nothing is
 * looked up for BIMI, and SPF asks the DNS while the body is hashed.
 */
import { spf, type DNSResolver, type DKIMResult, type SPFResult } from 'mailauth'
import { SECOND } from '../lib/clock.js'
import { headerLength } from '../mime/headers.js'
import type { Resolver } from '../dns/types.js'
import { headerFields } from './canonical.js'
import { createSignatureCheck } from './dkim.js'
import { judgeDmarc, type DmarcJudgement } from './dmarc.js'
import { libraryResolver } from './library-resolver.js'
import { authenticationResults, type MethodResult } from './results-field.js'
import type { AuthenticationResults, Authenticator, DkimResult, SpfResult, VerifyInput } from './types.js'

export interface AuthenticatorOptions {
  resolver: Resolver
  /** Our name in Authentication-Results (RFC 8601 §2.5). */
  authservId: string
}

/** What is known of one signature. */
interface Signature {
  result: DkimResult
  reason?: string
  domain: string
  selector: string
  algorithm: string
  /** The first octets of the signature, by which several of one domain are told apart (RFC 6008). */
  value: string
  /** Whether the domain and that of From belong together, as far as the names tell. */
  related: boolean
}

/** RFC 7208 §4.6.4: at least 20 seconds for the whole of SPF. */
const SPF_TIME_MS = 20 * SECOND

export function createAuthenticator({ resolver, authservId }: AuthenticatorOptions): Authenticator {
  const lookup = libraryResolver(resolver)
  const checkSignatures = createSignatureCheck(lookup)
  return {
    async verify(input) {
      const bodyAt = headerLength(input.raw)
      const fields = headerFields(input.raw.subarray(0, bodyAt))
      const [checkedSpf, checked] = await Promise.all([
        checkSpf(input, lookup, authservId),
        checkSignatures(fields, input.raw.subarray(bodyAt)),
      ])
      const signatures = checked.results.map(judgeSignature)
      const dmarc = await judgeDmarc(
        {
          addresses: checked.fromAddresses,
          fields: checked.fromFields,
          addressCount: input.fromCount,
          spf: { domain: checkedSpf.domain, result: spfResult(checkedSpf) },
          dkim: signatures,
        },
        lookup,
      )
      const best = bestSignature(signatures, dmarc.alignedDkimDomains)
      const results: AuthenticationResults = {
        spf: { result: spfResult(checkedSpf), domain: checkedSpf.domain || null },
        dkim: { result: best?.result ?? 'none', domain: best?.domain ?? null, selector: best?.selector ?? null },
        dmarc: { result: dmarc.result, domain: dmarc.domain, policy: dmarc.policy },
        arc: { result: checked.arc },
      }
      const methods = [spfMethod(input, results), ...dkimMethods(signatures), dmarcMethod(dmarc)]
      if (checked.arc !== 'none') methods.push(arcMethod(input, results))
      return { results, header: authenticationResults(authservId, methods), temporary: dmarc.temporary }
    },
  }
}

function checkSpf({ ip, helo, mailFrom }: VerifyInput, resolver: DNSResolver, mta: string): Promise<SPFResult> {
  return spf({ ip, helo, sender: mailFrom, mta, resolver, strict: true, maxElapsedTime: SPF_TIME_MS })
}

function judgeSignature({ status, signingDomain, selector, algo, signature }: DKIMResult): Signature {
  const common = {
    domain: (signingDomain ?? '').toLowerCase(),
    selector: selector ?? '',
    algorithm: algo ?? '',
    value: (signature ?? '').slice(0, 8),
    related: Boolean(status.aligned),
  }
  // RFC 6376 §8.2: whatever was appended behind `l=` octets is somebody else's.
  if (status.result === 'pass' && (status.underSized ?? 0) > 0) {
    return { ...common, result: 'policy', reason: 'part of the body is not signed' }
  }
  const result = dkimResult(status.result)
  if (result === 'temperror') return { ...common, result, reason: 'the key could not be looked up' }
  const reason = status.comment ?? status.policy?.['dkim-rules']
  return typeof reason === 'string' ? { ...common, result, reason } : { ...common, result }
}

const PREFERENCE: DkimResult[] = ['pass', 'temperror', 'policy', 'fail', 'neutral', 'permerror', 'none']

/** A pass before all else, and among equals the one that speaks for the author's domain. */
function bestSignature(signatures: Signature[], aligned: Set<string> | undefined): Signature | undefined {
  const rank = ({ result, domain, related }: Signature): number =>
    PREFERENCE.indexOf(result) * 2 + ((aligned ? aligned.has(domain) : related) ? 0 : 1)
  return [...signatures].sort((a, b) => rank(a) - rank(b))[0]
}

function spfMethod({ mailFrom, helo }: VerifyInput, { spf: { result } }: AuthenticationResults): MethodResult {
  return { method: 'spf', result, properties: [mailFrom === '' ? ['smtp.helo', helo] : ['smtp.mailfrom', mailFrom]] }
}

function dkimMethods(signatures: Signature[]): MethodResult[] {
  if (signatures.length === 0) return [{ method: 'dkim', result: 'none', properties: [] }]
  return signatures.map(({ result, reason, domain, selector, algorithm, value }) => ({
    method: 'dkim',
    result,
    reason,
    properties: [
      ['header.d', domain],
      ['header.s', selector],
      ['header.a', algorithm],
      ['header.b', value],
    ],
  }))
}

function dmarcMethod({ result, domain, policy }: DmarcJudgement): MethodResult {
  const properties: MethodResult['properties'] = [['header.from', domain ?? '']]
  if (policy !== null) properties.push(['policy.dmarc', policy])
  return { method: 'dmarc', result, properties }
}

function arcMethod({ ip }: VerifyInput, { arc: { result } }: AuthenticationResults): MethodResult {
  return { method: 'arc', result, properties: [['smtp.remote-ip', ip]] }
}

function spfResult({ status }: SPFResult): SpfResult {
  const known: SpfResult[] = ['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror']
  return known.find((result) => result === status.result) ?? 'permerror'
}

function dkimResult(text: string): DkimResult {
  return PREFERENCE.find((result) => result === text) ?? 'permerror'
}
