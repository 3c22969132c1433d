/** What the author's domain asks for, and who counts as the author (RFC 9989). */
import t from 'tap'
import { createAuthenticator } from '../../src/authentication/verify.js'
import type { AuthenticationResults, VerifyInput } from '../../src/authentication/types.js'
import { textResolver } from '../support/peers/fake-resolver.js'

const PASS_ALL = 'v=spf1 +all'

type Expected = Partial<AuthenticationResults['dmarc']> & { temporary?: boolean }

interface Given extends Partial<VerifyInput> {
  from?: string
  zone: Record<string, string | string[]>
}

async function judge({ from = 'Ann <ann@example.com>', zone, ...input }: Given) {
  const authenticator = createAuthenticator({ resolver: textResolver(zone), authservId: 'mx.example' })
  const raw = Buffer.from(`From: ${from}\r\nSubject: x\r\n\r\nx\r\n`)
  const session = { ip: '192.0.2.1', helo: 'x.example', mailFrom: 'ann@example.com', fromCount: 1, ...input }
  const { results, temporary } = await authenticator.verify({ raw, ...session })
  return { ...results.dmarc, temporary }
}

const dmarc = (record: string | string[], more: Given['zone'] = {}): Given['zone'] => ({
  '_dmarc.example.com': record,
  ...more,
})
const reject = dmarc('v=DMARC1; p=reject')
const spf = { 'example.com': PASS_ALL }

const cases: [name: string, given: Given, expected: Expected][] = [
  ['a policy in any case', { zone: dmarc('v=DMARC1; P=x; p=ReJect') }, { result: 'fail', policy: 'reject' }],
  ['none', { zone: dmarc('v=DMARC1;p=none') }, { result: 'fail', policy: 'none' }],
  ['sp= for a sub-domain', sub('v=DMARC1; p=reject; sp=quarantine'), { result: 'fail', policy: 'quarantine' }],
  ['no sp=: p= for a sub-domain', sub('v=DMARC1; p=reject'), { result: 'fail', policy: 'reject' }],
  ['sp= is not for the domain itself', { zone: dmarc('v=DMARC1; p=none; sp=reject') }, { policy: 'none' }],
  ['np= for a sub-domain that does not exist', sub('v=DMARC1; p=none; sp=none; np=reject'), { policy: 'reject' }],
  [
    'np= is not for one that exists',
    sub('v=DMARC1; p=none; sp=none; np=reject', { 'news.example.com': 'hello' }),
    { policy: 'none' },
  ],
  [
    'np= while nobody can say whether it exists: defer',
    sub('v=DMARC1; p=none; sp=none; np=reject', { 'news.example.com': 'temporary' }),
    { result: 'temperror', temporary: true },
  ],
  ['t=y: one step less than asked for', { zone: dmarc('v=DMARC1; p=reject; t=y') }, { policy: 'quarantine' }],
  ['t=y on quarantine', { zone: dmarc('v=DMARC1; p=quarantine; t=y') }, { policy: 'none' }],
  ['pct= has no meaning any more', { zone: dmarc('v=DMARC1; p=reject; pct=0') }, { policy: 'reject' }],
  ['unknown tags', { zone: dmarc('v=DMARC1; p=reject; zz=1; foo') }, { policy: 'reject' }],

  [
    'two records: none applies',
    { zone: dmarc(['v=DMARC1; p=reject', 'v=DMARC1; p=none']) },
    { result: 'none', policy: null },
  ],
  ['a text beside the record', { zone: dmarc(['hello', 'v=DMARC1; p=reject']) }, { policy: 'reject' }],
  ['v= not first', { zone: dmarc('p=reject; v=DMARC1') }, { result: 'none', policy: null }],
  ['v= in another case', { zone: dmarc('v=dmarc1; p=reject') }, { result: 'none', policy: null }],
  ['v=DMARC10', { zone: dmarc('v=DMARC10; p=reject') }, { result: 'none', policy: null }],
  ['a tag twice', { zone: dmarc('v=DMARC1; p=reject; p=none') }, { result: 'none', policy: null }],
  ['no p=', { zone: dmarc('v=DMARC1') }, { result: 'none', policy: null }],
  [
    'no p=, but reports are asked for',
    { zone: dmarc('v=DMARC1; rua=mailto:a@example.com') },
    { result: 'fail', policy: 'none' },
  ],
  ['a p= nobody knows', { zone: dmarc('v=DMARC1; p=refuse') }, { result: 'none', policy: null }],
  ['no record', { zone: {} }, { result: 'none', policy: null, domain: 'example.com', temporary: false }],

  ['the walk up the tree', walk({ '_dmarc.example.com': 'v=DMARC1; p=reject' }), { policy: 'reject' }],
  [
    'the record nearest to the author counts',
    walk({ '_dmarc.example.com': 'v=DMARC1; p=none', '_dmarc.a.b.example.com': 'v=DMARC1; p=reject' }),
    { policy: 'reject' },
  ],
  [
    'psd=n ends the walk',
    walk({ '_dmarc.b.example.com': 'v=DMARC1; p=reject; psd=n', '_dmarc.example.com': 'v=DMARC1; p=none' }),
    { policy: 'reject' },
  ],
  [
    'psd=y: the domain below it is the organization',
    walk({ '_dmarc.com': 'v=DMARC1; p=reject; psd=y' }),
    { policy: 'reject' },
  ],
  [
    'a name of many labels costs eight look-ups and still finds its organization',
    {
      from: `a@${'x.'.repeat(60)}example.com`,
      mailFrom: '',
      zone: reject,
    },
    { result: 'fail', policy: 'reject' },
  ],

  ['SPF of the domain', { zone: { ...reject, ...spf } }, { result: 'pass', policy: 'reject' }],
  [
    'SPF of a sub-domain, relaxed',
    { mailFrom: 'x@bounce.example.com', zone: { ...reject, 'bounce.example.com': PASS_ALL } },
    { result: 'pass' },
  ],
  [
    'and strict',
    { mailFrom: 'x@bounce.example.com', zone: dmarc('v=DMARC1; p=reject; aspf=S', { 'bounce.example.com': PASS_ALL }) },
    { result: 'fail' },
  ],
  [
    'SPF of a sibling below a public suffix',
    {
      from: 'a@ann.co.example',
      mailFrom: 'x@eve.co.example',
      zone: {
        '_dmarc.co.example': 'v=DMARC1; p=reject; psd=y',
        '_dmarc.ann.co.example': 'v=DMARC1; p=reject',
        'eve.co.example': PASS_ALL,
      },
    },
    { result: 'fail', policy: 'reject' },
  ],
  [
    'SPF of HELO is not that of the author where there is a reverse-path',
    { mailFrom: 'x@other.example', helo: 'mail.example.com', zone: { ...reject, 'mail.example.com': PASS_ALL } },
    { result: 'fail' },
  ],
  [
    'but where there is none',
    { mailFrom: '', helo: 'mail.example.com', zone: { ...reject, 'mail.example.com': PASS_ALL } },
    { result: 'pass' },
  ],
  ['SPF softfail', { zone: { ...reject, 'example.com': 'v=spf1 ~all' } }, { result: 'fail' }],
  ['SPF neutral', { zone: { ...reject, 'example.com': 'v=spf1 ?all' } }, { result: 'fail' }],

  [
    'two From fields',
    { from: 'a@example.com\r\nFrom: b@example.com', fromCount: 2, zone: { ...reject, ...spf } },
    { result: 'fail', policy: 'reject', domain: null },
  ],
  [
    'two authors of two domains',
    { from: 'a@example.com, b@example.org', fromCount: 2, zone: { ...reject, ...spf } },
    { result: 'fail', policy: 'reject', domain: null },
  ],
  [
    'two authors of one domain',
    { from: 'a@example.com, b@example.com', fromCount: 2, zone: { ...reject, ...spf } },
    { result: 'pass', domain: 'example.com' },
  ],
  ['a group of one author', { from: 'Team: a@example.com;', zone: { ...reject, ...spf } }, { result: 'pass' }],
  [
    'an empty group',
    { from: 'Undisclosed:;', fromCount: 0, zone: reject },
    { result: 'fail', policy: null, domain: null, temporary: false },
  ],
  ['no address', { from: 'Ann', fromCount: 0, zone: reject }, { result: 'fail', policy: null }],
  ['an empty field', { from: '', fromCount: 0, zone: reject }, { result: 'fail', policy: null }],
  [
    'an address that hides in a name',
    { from: '"a@example.org" <a@example.com>', zone: { ...reject, ...spf } },
    { result: 'pass', domain: 'example.com' },
  ],
  [
    'an address in a comment',
    { from: 'a@example.com (b@example.org)', zone: { ...reject, ...spf } },
    { result: 'pass', domain: 'example.com' },
  ],
  [
    'two readers that disagree on the authors',
    { from: 'a@example.com', fromCount: 2, zone: { ...reject, ...spf } },
    { result: 'fail', policy: 'reject' },
  ],
  ['an address literal', { from: 'a@[192.0.2.1]', mailFrom: '', zone: {} }, { result: 'none', policy: null }],
  [
    'a name with an empty label does not escape',
    { from: 'a@.example.com', zone: reject },
    { result: 'fail', policy: 'reject' },
  ],
  ['a final dot does not escape', { from: 'a@example.com.', zone: reject }, { result: 'fail', policy: 'reject' }],
  [
    'an internationalized name is its A-label',
    {
      from: 'a@BÜCHER.example',
      mailFrom: 'a@bücher.example',
      zone: { '_dmarc.xn--bcher-kva.example': 'v=DMARC1; p=reject', 'xn--bcher-kva.example': PASS_ALL },
    },
    { result: 'pass', domain: 'xn--bcher-kva.example', policy: 'reject' },
  ],
  [
    'its policy fails it too',
    { from: 'a@bücher.example', mailFrom: '', zone: { '_dmarc.xn--bcher-kva.example': 'v=DMARC1; p=reject' } },
    { result: 'fail', policy: 'reject' },
  ],

  [
    'no answer for the policy: defer',
    { zone: dmarc('temporary') },
    { result: 'temperror', policy: null, temporary: true },
  ],
  [
    'but not when the author passes by itself',
    { zone: dmarc('temporary', spf) },
    { result: 'temperror', temporary: false },
  ],
  [
    'no answer for SPF under reject: defer',
    { zone: { ...reject, 'example.com': 'temporary' } },
    { result: 'temperror', policy: 'reject', temporary: true },
  ],
  [
    'and under none: no need',
    { zone: dmarc('v=DMARC1; p=none', { 'example.com': 'temporary' }) },
    { result: 'temperror', temporary: false },
  ],
  [
    'an author among two whose policy is not known: defer',
    { from: 'a@example.com, b@example.org', fromCount: 2, zone: { '_dmarc.example.org': 'temporary' } },
    { result: 'fail', temporary: true },
  ],
]

function sub(record: string, more: Given['zone'] = {}): Given {
  return { from: 'a@news.example.com', mailFrom: '', zone: dmarc(record, more) }
}

function walk(zone: Given['zone']): Given {
  return { from: 'a@a.b.example.com', mailFrom: '', zone }
}

for (const [name, given, expected] of cases) {
  t.test(name, async (t) => {
    t.match(await judge(given), expected)
  })
}

t.test('what a report tells of a message is known where the author asks for reports, and only there', async (t) => {
  const verify = async (zone: Given['zone'], change: Partial<VerifyInput> = {}, from = 'ann@news.example.com') => {
    const authenticator = createAuthenticator({ resolver: textResolver(zone), authservId: 'mx.example' })
    const raw = Buffer.from(`From: ${from}\r\nSubject: x\r\n\r\nx\r\n`)
    const session = { ip: '192.0.2.1', helo: 'mx.example.com', mailFrom: 'ann@example.com', fromCount: 1 }
    return (await authenticator.verify({ raw, ...session, ...change })).evidence
  }
  const record = 'v=DMARC1; p=none; rua=mailto:r@example.com'
  const asks = dmarc(record, { ...spf, 'mx.example.com': PASS_ALL })
  t.same(await verify(asks), {
    policyDomain: 'example.com',
    record,
    headerFrom: 'news.example.com',
    dkimAligned: false,
    spfAligned: true,
    spf: { domain: 'example.com', result: 'pass', scope: 'mfrom' },
    dkim: [],
  })
  t.match(await verify(asks, { mailFrom: '' }), { spf: { domain: 'mx.example.com', scope: 'helo' }, spfAligned: true })
  t.match(await verify(asks, { mailFrom: 'x@other.test' }), { spfAligned: false, spf: { result: 'none' } })
  t.match(await verify(dmarc('v=DMARC1; p=none; aspf=s; rua=mailto:r@example.com', spf)), { spfAligned: false })
  t.equal(await verify(dmarc('v=DMARC1; p=reject', spf)), undefined, 'who asks for none')
  t.equal(await verify(spf), undefined, 'no policy')
  t.equal(await verify(asks, {}, 'ann@example.com, bob@other.test'), undefined, 'two authors')
  t.equal(await verify({ ...asks, 'other.test': 'temporary' }, { mailFrom: 'x@other.test' }, 'a@other.test'), undefined)
})
