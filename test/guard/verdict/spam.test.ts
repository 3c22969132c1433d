import t from 'tap'
import type { AuthenticationResults } from '../../../src/authentication/types.js'
import { createSpamScore, DEFAULT_LINES, type InboundMessage } from '../../../src/guard/verdict/spam.js'
import type { FilterOpinion } from '../../../src/scan/types.js'
import { BAD } from '../bad.js'
import { incoming, NO_AUTH } from '../incoming.js'
import { LEGITIMATE } from '../legitimate.js'

const PASS: AuthenticationResults = {
  ...NO_AUTH,
  spf: { result: 'pass', domain: 'a.example' },
  dmarc: { result: 'pass', domain: 'a.example', policy: 'reject' },
}
const FAIL: AuthenticationResults = {
  ...NO_AUTH,
  spf: { result: 'fail', domain: 'a.example' },
  dkim: { result: 'fail', domain: 'a.example', selector: 's' },
  dmarc: { result: 'fail', domain: 'a.example', policy: 'none' },
}
const SERVER = { address: '192.0.2.1', name: 'mx.a.example', confirmed: true, known: true, helo: 'mx.a.example' }

const score = createSpamScore({ lines: DEFAULT_LINES })
const codes = (message: InboundMessage): string[] => score(message).reasons.map(({ code }) => code)

t.test('ordinary mail of an authenticated sender is no spam', async (t) => {
  for (const [what, sample] of LEGITIMATE) t.equal(score({ parsed: incoming(sample), auth: PASS }).verdict, 'ham', what)
})

t.test('bad content is spam, whoever sent it', async (t) => {
  // A sender's own bulk is not a receiver's, and these two are in newsletters too: they need company.
  const weak = ['many_new_recipients', 'link_text_mismatch', 'active_link']
  const samples = BAD.filter(([, , reason]) => !weak.includes(reason))
  for (const [what, sample] of samples)
    t.equal(score({ parsed: incoming(sample), auth: NO_AUTH }).verdict, 'spam', what)
})

t.test('a sender that nothing is known of is not spam for that', async (t) => {
  t.strictSame(score({ parsed: incoming(), auth: NO_AUTH }), {
    score: 1,
    verdict: 'ham',
    reasons: [{ code: 'unauthenticated', score: 1, detail: 'neither SPF nor DKIM authenticates the sender' }],
  })
})

t.test('a machine without a name, with every other fault of a client, is not spam for that alone', async (t) => {
  const client = { address: '203.0.113.7', name: null, confirmed: false, known: true, helo: 'localhost' }
  t.strictSame(score({ parsed: incoming(), auth: NO_AUTH, client }).score, 2.5)
  t.equal(score({ parsed: incoming(), auth: NO_AUTH, client }).verdict, 'ham')
})

t.test('each sign of a client has its reason', async (t) => {
  const seen = (client: Partial<NonNullable<InboundMessage['client']>>): string[] =>
    codes({ parsed: incoming(), auth: PASS, client: { ...SERVER, ...client } })
  t.strictSame(seen({}), ['dmarc_pass'])
  t.strictSame(seen({ name: null }), ['dmarc_pass', 'no_ptr'])
  t.strictSame(seen({ confirmed: false }), ['dmarc_pass', 'ptr_not_confirmed'])
  t.strictSame(seen({ confirmed: false, known: false }), ['dmarc_pass'], 'DNS did not answer for the name')
  t.strictSame(seen({ name: null, confirmed: false, known: false }), ['dmarc_pass'], 'nor for the address')
  t.strictSame(seen({ address: '203.0.113.7', name: '7-113-0-203.isp.example' }), ['dmarc_pass', 'home_line'])
  t.strictSame(seen({ name: 'c17.dyn.isp.example' }), ['dmarc_pass', 'home_line'])
  t.strictSame(seen({ name: 'dynamics.example' }), ['dmarc_pass'])
  t.strictSame(seen({ helo: 'localhost' }), ['dmarc_pass', 'helo_not_a_name'])
  t.strictSame(seen({ helo: '[192.0.2.1]' }), ['dmarc_pass'])
  t.strictSame(seen({ listed: ['one.example', 'two.example', 'three.example'] }), [
    'dmarc_pass',
    'dns_block_list',
    'dns_block_list',
  ])
})

t.test('a forged sender is named, and with doubtful content it is spam', async (t) => {
  t.equal(score({ parsed: incoming(), auth: FAIL }).verdict, 'ham')
  t.strictSame(codes({ parsed: incoming(), auth: FAIL }), ['dmarc_fail', 'spf_fail', 'dkim_fail'])
  const doubtful = incoming({ subject: 'Hello', text: 'Confirm your account: https://x.example/' })
  t.equal(score({ parsed: doubtful, auth: PASS }).verdict, 'ham')
  t.equal(score({ parsed: doubtful, auth: FAIL }).verdict, 'spam')
})

t.test('a list that breaks the signature of its authors does not make them forgers', async (t) => {
  const auth: AuthenticationResults = { ...FAIL, spf: { result: 'pass', domain: 'list.example' } }
  const list = score({ parsed: { ...incoming(), automation: 'list' }, auth })
  t.match(list, { score: 1.5, verdict: 'ham' })
})

t.test('a name that is somebody else’s address, or a brand’s, counts against the sender', async (t) => {
  const from = (name: string, address = 'x@evil.example'): string[] =>
    codes({ parsed: { ...incoming(), from: { name, address } }, auth: NO_AUTH })
  t.ok(from('service@bank.example').includes('address_in_name'))
  t.notOk(from('x@evil.example').includes('address_in_name'))
  t.notOk(from('x@mail.evil.example').includes('address_in_name'))
  t.ok(from('PayPal Security').includes('brand_in_name'))
  t.notOk(from('PayPal', 'service@paypal.com').includes('brand_in_name'))
})

t.test('how a message is made is looked at, and no single fault of it is spam', async (t) => {
  const now = Date.UTC(2026, 0, 1)
  const made = (change: Partial<InboundMessage['parsed']>) =>
    score({ parsed: { ...incoming(), ...change }, auth: NO_AUTH, now })
  const faults: [string, Partial<InboundMessage['parsed']>][] = [
    ['no_from', { fromCount: 0, from: null }],
    ['several_from', { fromCount: 2 }],
    ['no_date', { date: null }],
    ['date_in_future', { date: now + 2 * 86_400_000 }],
    ['no_message_id', { messageId: null }],
    ['no_recipient_named', { to: [] }],
    ['reply_to_nothing', { subject: 'Re: your order' }],
    ['empty', { subject: '', text: '' }],
    ['answers_to_free_mail', { replyTo: [{ address: 'boss@gmail.com', name: '' }] }],
    [
      'other_free_mail',
      { from: { address: 'a@yahoo.com', name: '' }, replyTo: [{ address: 'b@gmail.com', name: '' }] },
    ],
  ]
  for (const [code, change] of faults) {
    const opinion = made(change)
    t.ok(
      opinion.reasons.some((reason) => reason.code === code),
      code,
    )
    t.equal(opinion.verdict, 'ham', code)
  }
})

t.test('neither HTML nor another language is a reason', async (t) => {
  const html =
    '<html><body><p>Guten Tag, <b>hier</b> ist die <a href="https://a.example/1">Rechnung</a>.</p></body></html>'
  t.strictSame(codes({ parsed: incoming({ subject: 'Rechnung', text: '', html }), auth: PASS }), ['dmarc_pass'])
  t.strictSame(codes({ parsed: incoming({ subject: '会議', text: '明日の会議は十時です。' }), auth: PASS }), [
    'dmarc_pass',
  ])
})

t.test('a program in an archive, or an archive with a password, is told', async (t) => {
  const archive = (names: string[], encrypted = false) => ({
    filename: 'files.zip',
    contentType: 'application/zip',
    sizeBytes: 1,
    archive: { names, encrypted },
  })
  const seen = (attachment: ReturnType<typeof archive>): string[] =>
    codes({ parsed: incoming({ subject: 'Hi', text: 'See', attachments: [attachment] }), auth: PASS })
  t.ok(seen(archive(['report/invoice.pdf.exe'])).includes('program_in_archive'))
  t.ok(seen(archive(['a.txt'], true)).includes('encrypted_archive'))
  t.strictSame(seen(archive(['a.txt', 'b.pdf'])), ['dmarc_pass'])
})

t.test('the score is the sum of its reasons', async (t) => {
  for (const [what, sample] of BAD) {
    const { score: total, reasons } = score({ parsed: incoming(sample), auth: FAIL })
    const sum = reasons.reduce((points, reason) => points + reason.score, 0)
    t.ok(Math.abs(total - sum) < 0.1 * reasons.length + 0.01, `${what}: ${total} and ${sum}`)
  }
})

t.test('the lines are the operator’s', async (t) => {
  const message = { parsed: incoming(), auth: FAIL }
  t.equal(score(message).score, 4.5)
  const verdict = (spam: number, reject: number) => createSpamScore({ lines: { spam, reject } })(message).verdict
  t.equal(verdict(4.5, 0), 'spam')
  t.equal(verdict(4, 4.5), 'reject')
  t.equal(verdict(4.6, 0), 'ham')
})

t.test('a trained model that is certain decides, one that doubts does not', async (t) => {
  const withModel = (unwanted: number | undefined) =>
    createSpamScore({ lines: DEFAULT_LINES, model: { unwanted: () => unwanted } })({
      parsed: incoming(),
      auth: NO_AUTH,
    })
  t.match(withModel(1), { score: 7, verdict: 'spam' })
  t.match(withModel(0.5), { score: 1, verdict: 'ham' })
  t.match(withModel(undefined), { score: 1, verdict: 'ham' })
  t.match(withModel(0), { score: 0, verdict: 'ham' })
})

t.test('another filter: the greater score counts, and its own lines say what it means', async (t) => {
  const withFilter = (verdict: FilterOpinion['verdict'], points: number, auth = PASS) => {
    const filter = { verdict, score: points, reasons: [{ code: 'A_SYMBOL', score: points, detail: 'a symbol' }] }
    return score({ parsed: incoming(), auth, filter })
  }
  t.match(withFilter('ham', 5.9), { score: 4.9, verdict: 'ham' })
  t.match(withFilter('ham', -7, FAIL), { score: 4.5, verdict: 'ham', reasons: [{ code: 'dmarc_fail' }] })
  t.match(withFilter('spam', 4), {
    score: 5,
    verdict: 'spam',
    reasons: [{ code: 'rspamd' }, { code: 'rspamd:A_SYMBOL' }],
  })
  t.match(withFilter('reject', 12), { score: 15, verdict: 'reject' })
  const never = createSpamScore({ lines: { spam: 5, reject: 0 } })
  const filter: FilterOpinion = { verdict: 'reject', score: 40, reasons: [] }
  t.match(never({ parsed: incoming(), auth: PASS, filter }), { score: 40, verdict: 'spam' })
})

t.test('the test strings score as what they stand for, whoever sends them', async (t) => {
  const tail = ['JS*C4JDBQADN1.NSBN3*2IDNEN', '*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'].join('')
  const trial = (text: string, lines = DEFAULT_LINES, more: object = {}) =>
    createSpamScore({ lines })({ parsed: incoming({ subject: 'A test', text, ...more }), auth: PASS })
  t.strictSame(trial(`A test.\n\nX${tail}\n`), {
    score: 1000,
    verdict: 'reject',
    reasons: [{ code: 'gtube', score: 1000, detail: 'contains the test string GTUBE' }],
  })
  t.match(trial(`X${tail}`, { spam: 5, reject: 0 }), { verdict: 'spam' }, 'where nothing is refused for its score')
  t.match(trial('', DEFAULT_LINES, { html: `<p>X${tail}</p>` }), { verdict: 'reject' })
  t.match(trial(`Y${tail}`), { score: 5, verdict: 'spam' })
  t.match(trial(`Y${tail}`, { spam: 8, reject: 20 }), { score: 8, verdict: 'spam' })
  t.match(trial(`X${tail.slice(0, -1)}`), { verdict: 'ham' })
  t.match(trial(`x${tail}`), { verdict: 'ham' })
})
