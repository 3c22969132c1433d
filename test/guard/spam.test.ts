import t from 'tap'
import type { AuthenticationResults } from '../../src/authentication/types.js'
import { SPAM_LINE, spamScore } from '../../src/guard/spam.js'
import type { GuardSubject } from '../../src/guard/types.js'
import { BAD } from './bad.js'
import { LEGITIMATE } from './legitimate.js'
import type { Sample } from './legitimate.js'

const inbound = (sample: Sample[1]): GuardSubject => ({
  kind: 'inbound',
  html: null,
  links: [],
  attachments: [],
  trust: 0,
  ...sample,
  recipientCount: 1,
  newRecipientCount: 0,
})

const NONE: AuthenticationResults = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: null, policy: null },
  arc: { result: 'none' },
}
const PASS: AuthenticationResults = {
  ...NONE,
  spf: { result: 'pass', domain: 'a.example' },
  dmarc: { result: 'pass', domain: 'a.example', policy: 'reject' },
}
const FAIL: AuthenticationResults = {
  ...NONE,
  spf: { result: 'fail', domain: 'a.example' },
  dkim: { result: 'fail', domain: 'a.example', selector: 's' },
  dmarc: { result: 'fail', domain: 'a.example', policy: 'none' },
}
const plain = inbound({ subject: 'Lunch', text: 'At noon?' })

void t.test('ordinary mail of an authenticated sender is no spam', async (t) => {
  for (const [what, sample] of LEGITIMATE) t.equal(spamScore(inbound(sample), PASS).verdict, 'ham', what)
})

void t.test('bad content is spam, whoever sent it', async (t) => {
  const samples = BAD.filter(([, , reason]) => reason !== 'many_new_recipients')
  for (const [what, sample] of samples) t.equal(spamScore(inbound(sample), NONE).verdict, 'spam', what)
})

void t.test('a sender that nothing is known of is not spam for that', async (t) => {
  t.strictSame(spamScore(plain, NONE), {
    score: 1,
    verdict: 'ham',
    reasons: [{ code: 'unauthenticated', detail: 'neither SPF nor DKIM says who sent it' }],
  })
})

void t.test('mail that never left this server has no sender to doubt', async (t) => {
  t.strictSame(spamScore(plain, null), { score: 0, verdict: 'ham', reasons: [] })
})

void t.test('a forged sender is named, and with doubtful content it is spam', async (t) => {
  const forged = spamScore(plain, FAIL)
  t.equal(forged.verdict, 'ham')
  t.strictSame(
    forged.reasons.map(({ code }) => code),
    ['dmarc_fail', 'spf_fail', 'dkim_fail'],
  )
  const doubtful = inbound({ subject: 'Hello', text: 'Confirm your account: https://x.example/' })
  t.equal(spamScore(doubtful, PASS).verdict, 'ham')
  t.equal(spamScore(doubtful, FAIL).verdict, 'spam')
})

void t.test('the score is never below nothing, and spam is what reaches the line', async (t) => {
  t.equal(spamScore(plain, PASS).score, 0)
  t.ok(spamScore(inbound({ subject: 'x', text: 'Double your bitcoin' }), NONE).score >= SPAM_LINE)
})
