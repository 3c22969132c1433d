/** What is concluded from the DNS for one message and kept for the next. */
import t from 'tap'
import { createAuthenticator } from '../../src/authentication/verify.js'
import type { VerifyInput } from '../../src/authentication/types.js'
import { ManualClock, SECOND } from '../../src/lib/clock.js'
import { textResolver } from '../support/peers/fake-resolver.js'
import { publicKeyText, rsa1024, rsa2048, signMessage } from './signing.js'

const MESSAGE = 'From: Ann <ann@example.com>\r\nSubject: hello\r\n\r\nthe body\r\n'
const SESSION = { ip: '192.0.2.1', helo: 'mail.example.com', mailFrom: 'ann@example.com', fromCount: 1 }
const KEY_NAME = 's._domainkey.example.com'
const keyOf = (key: typeof rsa2048): string => `v=DKIM1; k=rsa; p=${publicKeyText(key)}`
const ZONE = {
  'example.com': 'v=spf1 ip4:192.0.2.1 -all',
  '_dmarc.example.com': 'v=DMARC1; p=reject',
  [KEY_NAME]: keyOf(rsa2048),
}

/** Answers of DNS are kept for a minute each, but for those whose name has a time of its own, in seconds. */
function world(records: Record<string, string | string[]>, ttls: Record<string, number> = {}) {
  const clock = new ManualClock(Date.parse('2026-06-01T12:00:00Z'))
  const zone = { ...records }
  const answers = new Map<string, { answer: Promise<string[]>; until: number }>()
  const dns = textResolver(zone)
  const txt = (name: string): Promise<string[]> => {
    const known = answers.get(`TXT ${name}`)
    if (known && known.until > clock.now()) return known.answer
    const answer = dns.txt(name)
    if (zone[name] !== 'temporary')
      answers.set(`TXT ${name}`, { answer, until: clock.now() + (ttls[name] ?? 60) * SECOND })
    return answer
  }
  const keptUntil = (name: string, type: string): number | undefined => answers.get(`${type} ${name}`)?.until
  const authenticator = createAuthenticator({ resolver: { ...dns, txt, keptUntil }, authservId: 'mx.example', clock })
  const verify = async (message = signMessage(MESSAGE), input: Partial<VerifyInput> = {}) => {
    dns.asked.length = 0
    const verified = await authenticator.verify({ raw: Buffer.from(message), ...SESSION, ...input })
    return { ...verified, asked: [...dns.asked] }
  }
  return { clock, zone, verify }
}

t.test('the second message of a sender asks for nothing, and gets the same results', async (t) => {
  const { verify } = world(ZONE)
  const first = await verify()
  t.match(first.results, { spf: { result: 'pass' }, dkim: { result: 'pass' }, dmarc: { result: 'pass' } })
  t.ok(first.asked.length > 0)
  t.same(await verify(), { ...first, asked: [] })
})

t.test('nothing is kept longer than the shortest-lived record that it stands on', async (t) => {
  const { verify, clock, zone } = world(ZONE, { [KEY_NAME]: 10 })
  await verify()
  Object.assign(zone, {
    [KEY_NAME]: keyOf(rsa1024),
    'example.com': 'v=spf1 -all',
    '_dmarc.example.com': 'v=DMARC1; p=none',
  })
  t.match((await verify()).results, { spf: { result: 'pass' }, dkim: { result: 'pass' }, dmarc: { policy: 'reject' } })
  clock.advance(10 * SECOND)
  t.match((await verify()).results, { spf: { result: 'pass' }, dkim: { result: 'fail' }, dmarc: { policy: 'reject' } })
  clock.advance(50 * SECOND)
  t.match((await verify()).results, { spf: { result: 'fail' }, dkim: { result: 'fail' }, dmarc: { policy: 'none' } })
})

t.test('an included record ends a result as the record itself does', async (t) => {
  const zone = { 'example.com': 'v=spf1 include:spf.example -all', 'spf.example': 'v=spf1 ip4:192.0.2.1 -all' }
  const { verify, clock, zone: changed } = world(zone, { 'spf.example': 5 })
  t.equal((await verify(MESSAGE)).results.spf.result, 'pass')
  changed['spf.example'] = 'v=spf1 -all'
  clock.advance(5 * SECOND - 1)
  t.equal((await verify(MESSAGE)).results.spf.result, 'pass')
  clock.advance(1)
  t.equal((await verify(MESSAGE)).results.spf.result, 'fail')
})

t.test('what DNS did not answer is asked for again', async (t) => {
  const { verify, zone } = world({
    [KEY_NAME]: 'temporary',
    'example.com': 'temporary',
    '_dmarc.example.com': 'temporary',
  })
  const troubled = await verify()
  t.match(troubled.results, {
    spf: { result: 'temperror' },
    dkim: { result: 'temperror' },
    dmarc: { result: 'temperror' },
  })
  Object.assign(zone, ZONE)
  t.match((await verify()).results, { spf: { result: 'pass' }, dkim: { result: 'pass' }, dmarc: { result: 'pass' } })
})

t.test('what one message may not ask for any more is no answer for the next', async (t) => {
  const clock = new ManualClock()
  const dns = textResolver(ZONE)
  const resolver = { ...dns, keptUntil: () => clock.now() + 60 * SECOND }
  const limits = { maxEvidenceLookups: 0, maxPolicyLookups: 10, maxTimeMs: 60_000 }
  const authenticator = createAuthenticator({ resolver, authservId: 'mx.example', clock, limits })
  const verify = async () => (await authenticator.verify({ raw: Buffer.from(MESSAGE), ...SESSION })).results.spf.result
  t.equal(await verify(), 'temperror')
  limits.maxEvidenceLookups = 10
  t.equal(await verify(), 'pass')
})

t.test('addresses and domains have results of their own', async (t) => {
  const { verify } = world({ ...ZONE, 'example.net': 'v=spf1 -all' })
  const spf = async (input: Partial<VerifyInput>) => (await verify(MESSAGE, input)).results.spf.result
  t.equal(await spf({}), 'pass')
  t.equal(await spf({ ip: '192.0.2.2' }), 'fail')
  t.equal(await spf({ ip: '::ffff:192.0.2.1' }), 'pass', 'a mapped address is one of IPv4')
  t.equal(await spf({ mailFrom: 'ann@example.net' }), 'fail')
  t.equal(await spf({ mailFrom: 'bob@example.com' }), 'pass')
  const other = await verify(MESSAGE.replace('example.com', 'example.net'))
  t.match(other.results.dmarc, { result: 'none', domain: 'example.net' })
})

t.test('a record that looks at the sender or the HELO name is evaluated for each', async (t) => {
  const bob = { mailFrom: 'bob@example.com' }
  const cases: [macro: string, name: string, other: Partial<VerifyInput>][] = [
    ['%{l}', 'ann', bob],
    ['%{L1r-}', 'ann', bob],
    ['%{s}', 'ann@example.com', bob],
    ['%{h}', 'mail.example.com', { helo: 'other.example.com' }],
  ]
  for (const [macro, name, other] of cases) {
    const zone = { 'example.com': `v=spf1 include:${macro}.x.example -all`, [`${name}.x.example`]: 'v=spf1 +all' }
    const { verify } = world(zone)
    const spf = async (input: Partial<VerifyInput>) => (await verify(MESSAGE, input)).results.spf.result
    t.equal(await spf({}), 'pass', macro)
    t.equal(await spf(other), 'permerror', macro)
    t.equal(await spf({}), 'pass', macro)
  }
})
