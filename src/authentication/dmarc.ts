/** What the author's domain asks for, and whether the message has what it asks (RFC 9989 §5.3). */
import type { DNSResolver } from 'mailauth'
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js'
import { unkept, type Kept } from './kept.js'
import type { AuthenticationResults, DkimResult, DmarcResult, SpfResult } from './types.js'

export interface DmarcInput {
  /** Addresses in the From fields as mailauth reads them. */
  addresses: string[]
  /** Number of From fields. */
  fields: number
  /** Number of From addresses as the parser of the message reads them. */
  addressCount: number
  spf: { domain: string; result: SpfResult }
  dkim: { domain: string; result: DkimResult }[]
}

export interface DmarcJudgement {
  result: DmarcResult
  /** Domain of the author; null unless there is exactly one. */
  domain: string | null
  policy: AuthenticationResults['dmarc']['policy']
  /** The outcome hangs on an answer that DNS did not give, and the policy isn't `none`. */
  temporary: boolean
  /** Signing domains that speak for the author; not known without a policy. */
  alignedDkimDomains: Set<string> | undefined
  /** The policy that applied, and what passed in the author's name; only with the results pass and fail. */
  applied?: { policyDomain: string; record: string; dkimAligned: boolean; spfAligned: boolean }
}

/** Of many authors the policies of so many are asked for. */
const MAX_AUTHORS = 5

/** mailauth's evaluation. Many messages share one, so nobody changes it. */
export type DmarcEvaluation = Awaited<ReturnType<typeof evaluateDmarc>>

/** @param kept evaluations by the domains that they compare */
export async function judgeDmarc(
  input: DmarcInput,
  resolver: DNSResolver,
  kept: Kept<DmarcEvaluation> = unkept,
): Promise<DmarcJudgement> {
  const { addresses, fields } = input
  const authors = addresses.map(authorOf)
  const evaluateFor = (headerFrom: string[], fromFields: number, spfDomains: string[], dkimDomains: string[]) =>
    kept(JSON.stringify([headerFrom, fromFields, spfDomains, dkimDomains]), resolver, (lookUp) =>
      evaluateDmarc({
        headerFrom,
        fromFields,
        spfDomains,
        dkimDomains: dkimDomains.map((domain) => ({ domain })),
        resolver: lookUp,
        strict: true,
      }),
    )
  const evaluate = (accepted: (result: string) => boolean) =>
    evaluateFor(
      authors,
      fields,
      accepted(input.spf.result) ? [input.spf.domain] : [],
      input.dkim.filter(({ result }) => accepted(result)).map(({ domain }) => domain),
    )

  const { response, dkimAligned, authorDomains } = await evaluate((result) => result === 'pass')
  // RFC 9989 §5.3.1: several authors are one where they share a domain. Whoever reads From otherwise than the judge may see another author.
  if (!response || fields !== 1 || input.addressCount !== addresses.length) {
    const domains = authorDomains ?? (response && response.status.header?.from ? [response.status.header.from] : [])
    return {
      ...(await strictestPolicy(domains, (domain) => evaluateFor([domain], 1, [], []))),
      result: 'fail',
      domain: null,
      alignedDkimDomains: undefined,
    }
  }

  const domain = response.status.header?.from ?? null
  const policy = policyOf(response.policy)
  const { policyDomain, rr: record, alignment } = response
  const applied =
    policyDomain === undefined || record === undefined
      ? undefined
      : {
          policyDomain,
          record,
          dkimAligned: (dkimAligned?.size ?? 0) > 0,
          spfAligned: alignment?.spf.result !== undefined,
        }
  const judgement = (result: DmarcResult, temporary: boolean): DmarcJudgement => ({
    result,
    domain,
    policy,
    temporary,
    alignedDkimDomains: dkimAligned,
    applied: result === 'pass' || result === 'fail' ? applied : undefined,
  })
  switch (response.status.result) {
    case 'pass':
      return judgement('pass', false)
    case 'fail': {
      // Would it pass if those that could not be checked had passed?
      const hoped = await evaluate((result) => result === 'pass' || result === 'temperror')
      const undecided = hoped.response && ['pass', 'temperror'].includes(hoped.response.status.result)
      return undecided ? judgement('temperror', policy !== 'none') : judgement('fail', false)
    }
    case 'temperror': {
      // Which one of the policies applies may be what is not known (RFC 9989 §4.10.1).
      const harmless = response.p === 'none' && response.sp === 'none' && (response.np ?? 'none') === 'none'
      return judgement('temperror', !harmless && !passedAsAuthor(input, domain))
    }
    default:
      return judgement('none', false)
  }
}

/** The domain of an address without quotes or routes, which mailauth takes as well as the address: who writes from there does not matter. */
function authorOf(address: string): string {
  return /^[^\s"@:]+@([a-z0-9.-]+)$/i.exec(address)?.[1] ?? address
}

/** The author's own domain passed: whatever the policy is that could not be read, it is met. */
function passedAsAuthor({ spf, dkim }: DmarcInput, domain: string | null): boolean {
  return [spf, ...dkim].some((checked) => checked.result === 'pass' && checked.domain.toLowerCase() === domain)
}

/**
 * A message without exactly one author fails. What follows from that is decided by the strictest policy of all who are named
 * (RFC 7489 §6.6.1), so that a protected name can't be shown beside another.
 */
async function strictestPolicy(
  domains: string[],
  evaluate: (domain: string) => Promise<DmarcEvaluation>,
): Promise<Pick<DmarcJudgement, 'policy' | 'temporary'>> {
  const answers = await Promise.all(domains.slice(0, MAX_AUTHORS).map(evaluate))
  const policies = answers.map(({ response }) => (response ? policyOf(response.policy) : null))
  const unknown = answers.some(({ response }) => response && response.status.result === 'temperror')
  const strictest = (['reject', 'quarantine', 'none'] as const).find((policy) => policies.includes(policy)) ?? null
  return { policy: strictest, temporary: unknown && strictest !== 'reject' }
}

function policyOf(text: string | undefined): DmarcJudgement['policy'] {
  const policy = text?.toLowerCase()
  return policy === 'none' || policy === 'quarantine' || policy === 'reject' ? policy : null
}
