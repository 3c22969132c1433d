/** The table of verdicts, row by row: what is found, what the operator wants, what becomes of the message. */
import t from 'tap'
import { decide, type Findings, type Policy } from '../../../src/mx/intake/decide.js'
import type { AuthenticationResults } from '../../../src/authentication/types.js'
import { replyCodes } from '../../../src/smtp/replies.js'

const POLICY: Policy = { scanOnError: 'defer', dmarcReject: 'reject', ownDomain: 'quarantine', dnsFailure: 'defer' }

interface Found {
  virus?: 'infected' | 'unscanned'
  /** DMARC fails, and the author's domain asks for this. */
  dmarc?: 'none' | 'quarantine' | 'reject'
  dns?: 'temporary'
  spam?: 'spam' | 'reject'
  ownDomain?: 'forged' | 'undecided'
}

function findings({ virus, dmarc, dns, spam, ownDomain }: Found, scannerEnabled: boolean): Findings {
  const results: AuthenticationResults = {
    spf: { result: 'none', domain: null },
    dkim: { result: 'none', domain: null, selector: null },
    dmarc: { result: dmarc ? 'fail' : 'pass', domain: 'peer.test', policy: dmarc ?? 'reject' },
    arc: { result: 'none' },
  }
  return {
    scan:
      virus === 'infected'
        ? { virus, signature: 'Eicar' }
        : virus === 'unscanned'
          ? { virus, reason: 'away' }
          : { virus: 'clean' },
    scannerEnabled,
    verification: { results, temporary: dns === 'temporary' },
    spam: { score: 0, verdict: spam ?? 'ham', reasons: [] },
    ownDomain: ownDomain && { domain: 'agents.test', field: 'From', undecided: ownDomain === 'undecided' },
  }
}

const INBOX = 'inbox'
const SPAM = 'spam'
const MALWARE = '550 5.7.1 malware'
const DMARC = '550 5.7.1 dmarc'
const OWN = '550 5.7.1 own_domain'
const LATER_SCAN = '451 4.7.1 not_scanned'
const LATER_DNS = '451 4.7.1 dns_failure'
const TOO_SPAMMY = '550 5.7.1 spam'

const TABLE: [found: Found, policy: Partial<Policy>, becomes: string][] = [
  [{}, {}, INBOX],
  // A virus goes before all else.
  [{ virus: 'infected' }, {}, MALWARE],
  [{ virus: 'infected', dmarc: 'reject', dns: 'temporary', spam: 'reject' }, { scanOnError: 'accept' }, MALWARE],
  [{ virus: 'unscanned' }, {}, LATER_SCAN],
  [{ virus: 'unscanned' }, { scanOnError: 'accept' }, 'inbox unscanned'],
  // DMARC: the author's wish, as far as the operator follows it.
  [{ dmarc: 'reject' }, {}, DMARC],
  [{ dmarc: 'reject' }, { dmarcReject: 'quarantine' }, SPAM],
  [{ dmarc: 'reject' }, { dmarcReject: 'ignore' }, INBOX],
  [{ dmarc: 'quarantine' }, {}, SPAM],
  [{ dmarc: 'quarantine' }, { dmarcReject: 'quarantine' }, SPAM],
  [{ dmarc: 'quarantine' }, { dmarcReject: 'ignore' }, INBOX],
  [{ dmarc: 'none' }, {}, INBOX],
  // Our own domains, whoever their policy is for.
  [{ ownDomain: 'forged' }, { ownDomain: 'reject' }, OWN],
  [{ ownDomain: 'forged' }, {}, SPAM],
  [{ ownDomain: 'forged' }, { ownDomain: 'ignore' }, INBOX],
  [{ ownDomain: 'undecided' }, { ownDomain: 'reject' }, LATER_DNS],
  [{ ownDomain: 'undecided' }, { ownDomain: 'reject', dnsFailure: 'accept' }, INBOX],
  [{ ownDomain: 'undecided' }, { ownDomain: 'ignore' }, INBOX],
  // DNS that does not answer.
  [{ dns: 'temporary' }, {}, LATER_DNS],
  [{ dns: 'temporary' }, { dnsFailure: 'accept' }, INBOX],
  [{ dns: 'temporary' }, { dmarcReject: 'ignore' }, INBOX],
  // Spam.
  [{ spam: 'spam' }, {}, SPAM],
  [{ spam: 'reject' }, {}, TOO_SPAMMY],
  // A final refusal goes before one for now, and one for now before what a later try may still change.
  [{ virus: 'unscanned', dmarc: 'reject' }, {}, DMARC],
  [{ virus: 'unscanned', ownDomain: 'forged' }, { ownDomain: 'reject' }, OWN],
  [{ virus: 'unscanned', dns: 'temporary' }, {}, LATER_SCAN],
  [{ virus: 'unscanned', spam: 'reject' }, {}, LATER_SCAN],
  [{ dns: 'temporary', spam: 'reject' }, {}, LATER_DNS],
  // One label, however many reasons there are.
  [{ dmarc: 'quarantine', ownDomain: 'forged', spam: 'spam' }, {}, SPAM],
]

function becomes(found: Found, policy: Partial<Policy>, scannerEnabled = true): string {
  const decision = decide(findings(found, scannerEnabled), { ...POLICY, ...policy })
  if (decision.kind === 'refuse') return `${replyCodes(decision.reply)} ${decision.reply.reason}`
  const label = decision.labels.join(' ') || INBOX
  return decision.virus === 'clean' ? label : `${label} ${decision.virus}`
}

t.test('each verdict has its consequence', (t) => {
  for (const [found, policy, wanted] of TABLE)
    t.equal(becomes(found, policy), wanted, JSON.stringify({ ...found, ...policy }))
  t.end()
})

t.test('without a scanner nothing is put off for not being scanned', (t) => {
  t.equal(becomes({ virus: 'unscanned' }, {}, false), 'inbox unscanned')
  t.end()
})
