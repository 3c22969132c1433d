/** Which evidence leads to which decision; what the evidence is, is tested beside its rules. */
import t from 'tap'
import type { Finding } from '../../src/guard/finding.js'
import { createGuard, decided, DEFAULT_LINES, holdLine, type Evidence } from '../../src/guard/verdict/guard.js'
import { loadModel } from '../../src/guard/model/model.js'
import type { GuardSubject } from '../../src/guard/types.js'

const finding = (code: string, category: Finding['category'], weight: number): Finding => ({
  code,
  category,
  weight,
  detail: `${code} was found`,
})
const KINDS = { spam: 0.1, phishing: 0.8, scam: 0.1, bulk: 0 }
const evidence = (unwanted: number, findings: Finding[] = []): Evidence => ({
  findings,
  unwanted,
  text: { score: 0, kinds: KINDS, abuse: undefined },
})
const decide = (given: Evidence, trust = 0) => decided({ trust }, given, DEFAULT_LINES)

t.test('words alone never block, however sure the model is', async (t) => {
  t.match(decide(evidence(0.9999)), { decision: 'hold', category: 'phishing' })
  t.match(decide(evidence(0.9999, [finding('urgency', 'phishing', 0.2)])), { decision: 'hold' })
})

t.test('words and findings together block', async (t) => {
  t.match(decide(evidence(0.99, [finding('link_text_mismatch', 'phishing', 0.55)])), { decision: 'block' })
  t.match(decide(evidence(0.97, [finding('link_text_mismatch', 'phishing', 0.55)])), { decision: 'hold' })
})

t.test('what the account usually sends makes a message doubtful, and never blocks it', async (t) => {
  const findings = [finding('link_text_mismatch', 'phishing', 0.55), finding('burst', 'bulk', 0.95)]
  t.match(decide({ ...evidence(0.99, findings), alone: 0.9 }), { decision: 'hold', category: 'phishing' })
  t.match(decide({ ...evidence(0.7, findings.slice(1)), alone: 0.01 }), { decision: 'hold', category: 'bulk' })
  t.match(decide({ ...evidence(0.3, findings.slice(1)), alone: 0.01 }), { decision: 'send', scores: { bulk: 0.3 } })
  t.match(decide({ ...evidence(0.3, findings.slice(1)), alone: 0.01 }).reasons, [
    { code: 'burst' },
    {
      code: 'story',
      detail: 'measured by what the account usually sends: 30 % in all, 1 % by words and findings alone',
    },
  ])
})

t.test('many findings without hard evidence wait for a person', async (t) => {
  const findings = ['a', 'b', 'c', 'd', 'e'].map((code) => finding(code, 'spam', 0.6))
  t.match(decide(evidence(0.1, findings)), { decision: 'hold', category: 'spam' })
})

t.test('hard evidence blocks by itself, and stands first among the reasons', async (t) => {
  const { decision, category, reasons } = decide(
    evidence(0.01, [finding('urgency', 'phishing', 0.2), finding('double_extension', 'malware', 0.95)]),
  )
  t.strictSame([decision, category, reasons[0]?.code], ['block', 'malware', 'double_extension'])
  const imitation = [finding('lookalike_host', 'phishing', 0.7)]
  t.equal(decide(evidence(0.3, imitation)).decision, 'hold', 'an imitation alone is looked at by a person')
  t.match(decide(evidence(0.3, [...imitation, finding('credential_request', 'phishing', 0.35)])), { decision: 'block' })
})

t.test('the band in which words wait for a person is wider for new senders', async (t) => {
  const doubtful = evidence(0.6)
  t.equal(decide(doubtful, 0).decision, 'hold')
  t.equal(decide(doubtful, 6).decision, 'send')
  t.equal(
    decide(evidence(0.2, [finding('double_file', 'malware', 0.7)]), 6).decision,
    'hold',
    'not for what rules find',
  )
  t.ok([0, 1, 2, 3, 4, 5].every((trust) => holdLine(0.5, trust) < holdLine(0.5, trust + 1)))
  t.ok(holdLine(0.5, 6) < 1)
})

t.test('what the words weighed is a reason where it counts, and a verdict is never without one', async (t) => {
  t.match(decide(evidence(0.6)).reasons, [{ code: 'words', detail: /^wording: 60 % like phishing$/ }])
  t.match(decide(evidence(0.01)).reasons, [{ code: 'no_risk_found' }])
  t.match(decide(evidence(0.01)).scores, { legitimate: 0.99 })
})

t.test('a held message names the words that told most', async (t) => {
  const { verdict } = createGuard({ model: loadModel() }).explain(
    subject(
      'Your mailbox is full',
      'Dear user, your mailbox has exceeded its quota. Validate your account now or it will be deactivated within 24 hours. Click here to log in and keep your password.',
    ),
  )
  t.not(verdict.decision, 'send')
  t.match(verdict.reasons.find(({ code }) => code === 'words')?.detail, /^wording: \d+ % like \w+: ".+"/)
})

t.test('the own words of an answer are judged as those of a new message', async (t) => {
  const guard = createGuard({ model: loadModel() })
  const one = subject('Re: Loan', 'We can offer you a loan at a low rate. Apply today, no obligation, and save.')
  t.equal(guard.evidence({ ...one, isAnswer: true }).unwanted, guard.evidence(one).unwanted)
})

t.test('the same text to strangers counts by how many of them a day may have', async (t) => {
  const one = { ...subject('News', 'The report is out.'), similar: { messages: 30, newRecipients: 30 } }
  t.equal((await createGuard().check(one)).decision, 'hold')
  t.equal((await createGuard({ newRecipientsPerDay: 1000 }).check(one)).decision, 'send')
})

t.test('what was learnt here moves the risk, and is told what was found', async (t) => {
  const seen: string[][] = []
  const guard = createGuard({
    model: loadModel(),
    adjust: (logit, _, codes) => {
      seen.push(codes)
      return logit + 1.5
    },
  })
  const one = subject('Hello', 'Your account was suspended: verify your password at http://192.0.2.1/login')
  t.ok((guard.evidence(one).unwanted ?? 0) > (createGuard({ model: loadModel() }).evidence(one).unwanted ?? 1))
  t.ok(seen[0]?.includes('ip_address_link'), { seen })
})

function subject(title: string, text: string): GuardSubject {
  return {
    kind: 'outbound',
    subject: title,
    text,
    html: null,
    links: [],
    recipientCount: 1,
    newRecipientCount: 0,
    attachments: [],
    trust: 0,
  }
}
