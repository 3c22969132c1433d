/** Evaluates the DMARC policy of the author's domain (RFC 9989 §5.3). */
import type { DNSResolver } from 'mailauth'
import type { evaluateDmarc } from 'mailauth/lib/dmarc/index.js'
import { unkept, type Kept } from './kept.js'
import type { AuthenticationResults, DkimResult, DmarcResult, SpfResult } from './types.js'

export interface DmarcInput {
  /** Addresses in the From fields as parsed by mailauth. */
  addresses: string[]
  fields: number
  /** Number of From addresses as parsed by our parser. */
  addressCount: number
  spf: { domain: string; result: SpfResult }
  dkim: { domain: string; result: DkimResult }[]
}

export interface DmarcJudgement {
  result: DmarcResult
  /** Domain of the author; null unless there is exactly one. */
  domain: string | null
  policy: AuthenticationResults['dmarc']['policy']
  /** The outcome depends on a failed look-up, and the policy isn't `none`. */
  temporary: boolean
  /** Domain of the first valid DKIM signature that is aligned; null for none, undefined if not evaluated. */
  alignedDkim: string | null | undefined
  /** The applied policy, and what passed in the author's name; only with the results pass and fail. */
  applied?: { policyDomain: string; record: string; dkimAligned: boolean; spfAligned: boolean }
}

const MAX_AUTHORS = 5

/** mailauth's evaluation. Shared by many messages, so it must not be changed. */
export type DmarcEvaluation = Awaited<ReturnType<typeof evaluateDmarc>>

/** @param kept cached evaluations by the domains that they compare */
export async function judgeDmarc(
  input: DmarcInput,
  resolver: DNSResolver,
  kept: Kept<DmarcEvaluation> = unkept,
): Promise<DmarcJudgement> {
  const { addresses, fields } = input
  const authors = addresses.map(authorOf)
  const evaluateFor = (headerFrom: string[], fromFields: number, spfDomains: string[], dkimDomains: string[]) =>
    kept(JSON.stringify([headerFrom, fromFields, spfDomains, dkimDomains]), resolver, async (lookUp) => {
      // Loaded with the first message: it brings a schema library of its own.
      const { evaluateDmarc } = await import('./dmarc-library.js')
      return evaluateDmarc({
        headerFrom,
        fromFields,
        spfDomains,
        dkimDomains: dkimDomains.map((domain) => ({ domain })),
        resolver: lookUp,
        strict: true,
      })
    })
  const evaluate = (accepted: (result: string) => boolean) =>
    evaluateFor(
      authors,
      fields,
      accepted(input.spf.result) ? [input.spf.domain] : [],
      input.dkim.filter(({ result }) => accepted(result)).map(({ domain }) => domain),
    )

  const { response, authorDomains } = await evaluate((result) => result === 'pass')
  // RFC 9989 §5.3.1: several authors count as one if they share a domain. Mail programs that parse From differently may show another author.
  if (!response || fields !== 1 || input.addressCount !== addresses.length) {
    const domains = authorDomains ?? (response && response.status.header?.from ? [response.status.header.from] : [])
    return {
      ...(await strictestPolicy(domains, (domain) => evaluateFor([domain], 1, [], []))),
      result: 'fail',
      domain: null,
      alignedDkim: undefined,
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
          dkimAligned: alignment?.dkim.result !== undefined,
          spfAligned: alignment?.spf.result !== undefined,
        }
  const judgement = (result: DmarcResult, temporary: boolean): DmarcJudgement => ({
    result,
    domain,
    policy,
    temporary,
    alignedDkim: alignment && (alignment.dkim.result ?? null),
    applied: result === 'pass' || result === 'fail' ? applied : undefined,
  })
  switch (response.status.result) {
    case 'pass':
      return judgement('pass', false)
    case 'fail': {
      // Evaluates again as if the failed look-ups had passed.
      const hoped = await evaluate((result) => result === 'pass' || result === 'temperror')
      const undecided = hoped.response && ['pass', 'temperror'].includes(hoped.response.status.result)
      return undecided ? judgement('temperror', policy !== 'none') : judgement('fail', false)
    }
    case 'temperror': {
      // The applicable policy itself may be unknown (RFC 9989 §4.10.1).
      const harmless = response.p === 'none' && response.sp === 'none' && (response.np ?? 'none') === 'none'
      return judgement('temperror', !harmless && !passedAsAuthor(input, domain))
    }
    default:
      return judgement('none', false)
  }
}

/** The domain of an address without quotes or routes, which mailauth accepts in place of the address: the local part does not matter. */
function authorOf(address: string): string {
  return /^[^\s"@:]+@([a-z0-9.-]+)$/i.exec(address)?.[1] ?? address
}

/** True if the author's own domain passed: then any policy is met, even an unreadable one. */
function passedAsAuthor({ spf, dkim }: DmarcInput, domain: string | null): boolean {
  return [spf, ...dkim].some((checked) => checked.result === 'pass' && checked.domain.toLowerCase() === domain)
}

/**
 * A message without exactly one author fails. The strictest policy of all named authors decides the consequence (RFC 7489 §6.6.1), so that a
 * protected name can't be shown beside another.
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
