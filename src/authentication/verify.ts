/**
 * Authenticates the sender of a message: SPF (RFC 7208), DKIM (RFC 6376, RFC 8301, RFC 8463), DMARC (RFC 9989) and ARC (RFC 8617). DMARC is
 * evaluated by mailauth in its strict mode. Of an unsigned message only the From field is read, and SPF queries the DNS while the body is hashed.
 */
import { SECOND, systemClock, type Clock } from '../lib/clock.js'
import { headerLength } from '../mime/headers.js'
import type { Resolver } from '../dns/types.js'
import { isAligned } from './alignment.js'
import { createBudget, type BudgetLimits } from './budget.js'
import { headerFields } from './canonical.js'
import { createSignatureCheck, DKIM_RESULTS, type CheckedSignatures, type Signature } from './dkim.js'
import { judgeDmarc, type DmarcEvaluation, type DmarcJudgement } from './dmarc.js'
import { createKept } from './kept.js'
import { libraryResolver } from './library-resolver.js'
import { authenticationResults, type MethodResult } from './results-field.js'
import { checkHelo, checkMailFrom, type CheckedSpf } from './spf.js'
import type { AuthenticationResults, Authenticator, DmarcEvidence, SpfResult, VerifyInput } from './types.js'

export interface AuthenticatorOptions {
  resolver: Resolver
  /** Our name in Authentication-Results (RFC 8601 §2.5). */
  authservId: string
  clock?: Clock
  limits?: BudgetLimits
}

/**
 * Max DNS look-ups for one message. RFC 7208 §4.6.4 allows SPF alone a record, ten terms and ten addresses for each of them, and requires at least 20
 * seconds; ten signatures and twenty seals add 30. A walk up the tree is eight names (RFC 9989 §4.10).
 */
const LIMITS: BudgetLimits = { maxEvidenceLookups: 160, maxPolicyLookups: 100, maxTimeMs: 20 * SECOND }

/** Cache sizes for SPF results by address and domain, and for mailauth's evaluations with their record. */
const SPF_KEPT = { maxEntries: 20_000, bytes: 200 }
const DMARC_KEPT = { maxEntries: 4000, bytes: 3000 }

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { resolver, authservId, clock = systemClock, limits = LIMITS } = options
  const lookup = libraryResolver(resolver)
  const checkSignatures = createSignatureCheck(resolver, clock)
  const spfKept = createKept<SpfResult>({ resolver, clock, ...SPF_KEPT })
  const dmarcKept = createKept<DmarcEvaluation>({ resolver, clock, ...DMARC_KEPT })
  return {
    async verify(input) {
      const bodyAt = headerLength(input.raw)
      const fields = headerFields(input.raw.subarray(0, bodyAt))
      const { evidence, policy, close } = createBudget(lookup, limits)
      try {
        const [spf, helo, checked] = await Promise.all([
          checkMailFrom(input, evidence, spfKept),
          input.mailFrom === '' ? undefined : checkHelo(input, evidence, spfKept),
          checkSignatures(fields, input.raw.subarray(bodyAt), evidence),
        ])
        const { signatures } = checked
        const dmarc = await judgeDmarc(
          {
            addresses: checked.fromAddresses,
            fields: checked.fromFields,
            addressCount: input.fromCount,
            spf,
            dkim: signatures,
          },
          policy,
          dmarcKept,
        )
        const best = bestSignature(checked, dmarc)
        const results: AuthenticationResults = {
          spf: { result: spf.result, domain: spf.domain || null },
          dkim: { result: best?.result ?? 'none', domain: best?.domain ?? null, selector: best?.selector ?? null },
          dmarc: { result: dmarc.result, domain: dmarc.domain, policy: dmarc.policy },
          arc: { result: checked.arc },
        }
        const methods = [...spfMethods(input, results, helo), ...dkimMethods(signatures), dmarcMethod(dmarc)]
        if (checked.arc !== 'none') methods.push(arcMethod(input, results))
        const dmarcEvidence = evidenceOf(input, dmarc, spf, signatures)
        return {
          results,
          header: authenticationResults(authservId, methods),
          temporary: dmarc.temporary,
          ...(dmarcEvidence && { evidence: dmarcEvidence }),
        }
      } finally {
        close()
      }
    },
  }
}

/** Max signatures in evidence; RFC 9990 §3.1.3 puts passed ones first. */
const MAX_REPORTED_SIGNATURES = 5

/** Undefined if the domain requests no reports. */
function evidenceOf(
  { mailFrom }: VerifyInput,
  { applied, domain }: DmarcJudgement,
  spf: CheckedSpf,
  signatures: Signature[],
): DmarcEvidence | undefined {
  if (!applied || domain === null || !/(?:^|;)\s*rua\s*=/i.test(applied.record)) return undefined
  const dkim = signatures
    .map(({ domain: signer, selector, result }) => ({ domain: signer, selector, result }))
    .sort((a, b) => Number(b.result === 'pass') - Number(a.result === 'pass'))
    .slice(0, MAX_REPORTED_SIGNATURES)
  return {
    ...applied,
    headerFrom: domain.toLowerCase(),
    spf: { domain: spf.domain, result: spf.result, scope: mailFrom === '' ? 'helo' : 'mfrom' },
    dkim,
  }
}

/** The best result, preferring one aligned with the author's domain: as evaluated by DMARC, or by names if the author has no policy. */
function bestSignature(checked: CheckedSignatures, { alignedDkim }: DmarcJudgement): Signature | undefined {
  const { signatures, fromAddresses } = checked
  if (signatures.length < 2) return signatures[0]
  const author = fromAddresses[0]?.split('@').pop() ?? ''
  const speaks = ({ domain }: Signature): boolean =>
    alignedDkim === undefined ? isAligned(author, domain) : domain === alignedDkim
  const ranks = new Map(signatures.map((one) => [one, DKIM_RESULTS.indexOf(one.result) * 2 + (speaks(one) ? 0 : 1)]))
  return [...signatures].sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))[0]
}

/** RFC 8601 §2.7.2. */
function spfMethods(
  { mailFrom, helo }: VerifyInput,
  { spf: { result } }: AuthenticationResults,
  heloResult: SpfResult | undefined,
): MethodResult[] {
  const byHelo = (of: SpfResult): MethodResult => ({ method: 'spf', result: of, properties: [['smtp.helo', helo]] })
  if (mailFrom === '') return [byHelo(result)]
  const byMailFrom: MethodResult = { method: 'spf', result, properties: [['smtp.mailfrom', mailFrom]] }
  return heloResult === undefined ? [byMailFrom] : [byMailFrom, byHelo(heloResult)]
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
