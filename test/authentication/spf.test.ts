/** SPF of both identities, and what a message may ask of the DNS (RFC 7208). */
import t from 'tap'
import { createAuthenticator } from '../../src/authentication/verify.js'
import type { VerifyInput } from '../../src/authentication/types.js'
import type { Resolver } from '../../src/dns/types.js'
import { fakeResolver, textResolver } from '../support/peers/fake-resolver.js'

const MESSAGE = Buffer.from('From: ann@example.com\r\n\r\nx\r\n')
const SESSION = { raw: MESSAGE, ip: '192.0.2.1', helo: 'mail.example.com', mailFrom: 'ann@example.com', fromCount: 1 }

const verify = (resolver: Resolver, input: Partial<VerifyInput> = {}) =>
  createAuthenticator({ resolver, authservId: 'mx.example' }).verify({ ...SESSION, ...input })

/** The SPF results as the field tells them. */
async function spf(zone: Record<string, string | string[]>, input: Partial<VerifyInput> = {}): Promise<string[]> {
  const { header } = await verify(textResolver(zone), input)
  return [...header.matchAll(/^ spf=(.*?);?\r$/gm)].map((match) => match[1] ?? '')
}

const ALLOWED = 'v=spf1 ip4:192.0.2.1 -all'
const DENIED = 'v=spf1 -all'

t.test('MAIL FROM and HELO are two identities with a result each', async (t) => {
  t.same(await spf({ 'example.com': ALLOWED, 'mail.example.com': DENIED }), [
    'pass smtp.mailfrom=ann@example.com',
    'fail smtp.helo=mail.example.com',
  ])
  t.same(await spf({ 'example.com': DENIED, 'mail.example.com': ALLOWED }), [
    'fail smtp.mailfrom=ann@example.com',
    'pass smtp.helo=mail.example.com',
  ])
  t.same(await spf({ 'example.com': ALLOWED, 'mail.example.com': 'temporary' }), [
    'pass smtp.mailfrom=ann@example.com',
    'temperror smtp.helo=mail.example.com',
  ])
  t.same(await spf({ 'example.com': ALLOWED, 'mail.example.com': [ALLOWED, DENIED] }), [
    'pass smtp.mailfrom=ann@example.com',
    'permerror smtp.helo=mail.example.com',
  ])
  t.same(await spf({ 'example.com': ALLOWED, 'mail.example.com': ['hello', 'v=spf10 -all'] }), [
    'pass smtp.mailfrom=ann@example.com',
    'none smtp.helo=mail.example.com',
  ])
})

t.test('the result of the Message is that of MAIL FROM, and of HELO for the null sender', async (t) => {
  const zone = { 'example.com': DENIED, 'mail.example.com': ALLOWED }
  t.same((await verify(textResolver(zone))).results.spf, { result: 'fail', domain: 'example.com' })
  t.same((await verify(textResolver(zone), { mailFrom: '' })).results.spf, {
    result: 'pass',
    domain: 'mail.example.com',
  })
  t.same(await spf(zone, { mailFrom: '' }), ['pass smtp.helo=mail.example.com'], 'and it is told once')
})

t.test('a HELO that is no domain name is no identity, and nothing is asked for it', async (t) => {
  const helos = [
    '[192.0.2.1]',
    '192.0.2.1',
    'localhost',
    '',
    'a b.example',
    '-',
    'x..example',
    'evil"; dkim=pass.example',
  ]
  for (const helo of helos) {
    const resolver = textResolver({ 'example.com': ALLOWED })
    const { header } = await verify(resolver, { helo })
    t.equal(header.match(/spf=/g)?.length, 1, helo)
    t.same(
      resolver.asked.filter((question) => question.startsWith('TXT') && !question.includes('_dmarc')),
      ['TXT example.com'],
    )
  }
  t.same(await spf({ 'xn--bcher-kva.example': ALLOWED }, { helo: 'bücher.example' }), [
    'none smtp.mailfrom=ann@example.com',
    'pass smtp.helo=bücher.example'.replace(/=(b.*)$/, '="$1"'),
  ])
})

t.test('ten look-ups are made, and an eleventh is a permanent error', async (t) => {
  const chain = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, i) => [
        i === 0 ? 'example.com' : `i${i}.example`,
        i === length - 1 ? 'v=spf1 +all' : `v=spf1 include:i${i + 1}.example -all`,
      ]),
    )
  t.same((await verify(textResolver(chain(11)))).results.spf.result, 'pass')
  const tooLong = textResolver(chain(12))
  t.same((await verify(tooLong)).results.spf.result, 'permerror')
  t.ok(tooLong.asked.filter((question) => /TXT (example\.com|i\d)/.test(question)).length <= 11)
})

t.test('two look-ups may find nothing, and a third is a permanent error', async (t) => {
  const record = (count: number): string =>
    `v=spf1 ${Array.from({ length: count }, (_, i) => `a:none${i}.example`).join(' ')} +all`
  t.same((await verify(textResolver({ 'example.com': record(2) }))).results.spf.result, 'pass')
  t.same((await verify(textResolver({ 'example.com': record(3) }))).results.spf.result, 'permerror')
})

t.test('a record that includes itself ends', async (t) => {
  const zone = {
    'example.com': 'v=spf1 include:example.com -all',
    'mail.example.com': 'v=spf1 redirect=mail.example.com',
  }
  t.same(await spf(zone), ['permerror smtp.mailfrom=ann@example.com', 'permerror smtp.helo=mail.example.com'])
})

t.test('all that one message asks for is counted together, and the policy is still found', async (t) => {
  const resolver = textResolver({
    'example.com': 'v=spf1 a:a.example a:b.example -all',
    '_dmarc.example.com': 'v=DMARC1; p=reject',
  })
  const limits = { maxEvidenceLookups: 3, maxPolicyLookups: 10, maxTimeMs: 60_000 }
  const { results, temporary } = await createAuthenticator({ resolver, authservId: 'mx.example', limits }).verify(
    SESSION,
  )
  t.same(results.spf.result, 'temperror')
  t.match(results.dmarc, { result: 'temperror', policy: 'reject' })
  t.equal(temporary, true, 'what could not be looked up is no verdict')
  t.equal(resolver.asked.filter((question) => !question.includes('_dmarc')).length, 3)
})

t.test('a DNS that never answers holds a message no longer than its time', async (t) => {
  const never = new Promise<never>(() => undefined)
  const resolver = { ...fakeResolver(() => 'not_found'), txt: () => never, a: () => never }
  const limits = { maxEvidenceLookups: 100, maxPolicyLookups: 100, maxTimeMs: 5 }
  const signed = Buffer.concat([
    Buffer.from('DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=; b=\r\n'),
    MESSAGE,
  ])
  const authenticator = createAuthenticator({ resolver, authservId: 'mx.example', limits })
  const { results, temporary } = await authenticator.verify({ ...SESSION, raw: signed })
  t.match(results, { spf: { result: 'temperror' }, dmarc: { result: 'temperror' } })
  t.equal(temporary, true)
})

t.test('nothing that a session says can write into our field', async (t) => {
  const evil = [
    'a@x.example; dkim=pass header.d=bank.example',
    '"\r\nAuthentication-Results: mx.example; dmarc=pass"@x.example',
    'a@x.example\r\nX-Evil: 1',
    'a\0b@x.example',
    '(dmarc=pass header.from=bank.example',
    'a@x.example" dmarc=pass "',
    `${'x'.repeat(2000)}@x.example`,
    'ü@x.example; dmarc=pass',
  ]
  for (const text of evil) {
    for (const input of [{ mailFrom: text }, { helo: text, mailFrom: '' }, { helo: text.replace(/^.*@/s, '') }]) {
      const { header } = await verify(textResolver({ 'x.example': ALLOWED }), input)
      const outside = header.replace(/"(?:[^"\\]|\\.)*"/g, '""')
      t.equal(outside.match(/dmarc=/g)?.length, 1, 'one DMARC result')
      t.equal(outside.match(/dkim=/g)?.length, 1, 'one DKIM result')
      t.notMatch(header, /\r\n\S|[^\r]\n|\r[^\n]|\0/, 'one field')
      t.ok(
        header.split('\r\n').every((line) => Buffer.byteLength(line) <= 998),
        'no line too long',
      )
    }
  }
})

t.test('a domain with an underscore has a policy like any other (RFC 7208 §4.3)', async (t) => {
  for (const domain of ['a_b.example', '_mail.example', 'a_.example', 'x._y.example']) {
    const mailFrom = `ann@${domain}`
    t.match((await verify(textResolver({ [domain]: ALLOWED }), { mailFrom })).results.spf, { result: 'pass', domain })
    t.match((await verify(textResolver({ [domain]: DENIED }), { mailFrom })).results.spf, { result: 'fail', domain })
    t.match((await verify(textResolver({ [domain]: ALLOWED }), { mailFrom: '', helo: domain })).results.spf, {
      result: 'pass',
      domain,
    })
    const raw = Buffer.from(`From: ${mailFrom}\r\n\r\nx\r\n`)
    const zone = { [domain]: ALLOWED, [`_dmarc.${domain}`]: 'v=DMARC1; p=reject' }
    t.match((await verify(textResolver(zone), { mailFrom, raw })).results.dmarc, { result: 'pass', policy: 'reject' })
    const forged = { ...zone, [domain]: DENIED }
    t.match((await verify(textResolver(forged), { mailFrom, raw })).results.dmarc, { result: 'fail', policy: 'reject' })
  }
  const zone = {
    'a_b.example': 'v=spf1 include:_spf.example -all',
    '_spf.example': 'v=spf1 redirect=r_.%{o}',
    'r_.a_b.example': ALLOWED,
  }
  t.match((await verify(textResolver(zone), { mailFrom: 'ann@a_b.example' })).results.spf, { result: 'pass' })
})

t.test('what is no domain has no policy, and nothing is asked for it', async (t) => {
  for (const domain of [
    'localhost',
    'a..example',
    `${'a'.repeat(64)}.example`,
    '[192.0.2.1]',
    '192.0.2.1',
    'a b.example',
  ]) {
    const resolver = textResolver({ [domain]: DENIED })
    const { results } = await verify(resolver, { mailFrom: `ann@${domain}`, helo: '[192.0.2.1]' })
    t.equal(results.spf.result, 'none', domain)
    t.notOk(resolver.asked.includes(`TXT ${domain}`), domain)
  }
})
