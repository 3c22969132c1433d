import t from 'tap'
import fc from 'fast-check'
import { createAuthenticator } from '../../src/authentication/verify.js'
import type { VerifyInput } from '../../src/authentication/types.js'
import { fakeResolver, textResolver } from '../support/peers/fake-resolver.js'
import { publicKeyText, rsa2048, signMessage } from './signing.js'

const SPF = 'v=spf1 ip4:192.0.2.1 -all'
const REJECT = 'v=DMARC1; p=reject'

const record = `v=DKIM1; k=rsa; p=${publicKeyText(rsa2048)}`

const sign = (message: string, { domain = 'example.com', selector = 's' } = {}): string =>
  signMessage(message, { tags: { d: domain, s: selector } })

const MESSAGE = 'From: Ann <ann@example.com>\r\nSubject: hello\r\n\r\nthe body\r\n'
const ZONE = { 'example.com': SPF, '_dmarc.example.com': REJECT, 's._domainkey.example.com': record }

async function verify(message: string, zone: Record<string, string>, input: Partial<VerifyInput> = {}) {
  const resolver = textResolver(zone)
  const verified = await createAuthenticator({ resolver, authservId: 'mx.example' }).verify({
    raw: Buffer.from(message),
    ip: '192.0.2.1',
    helo: 'mail.example.com',
    mailFrom: 'ann@example.com',
    fromCount: 1,
    ...input,
  })
  return { ...verified, asked: resolver.asked }
}

/** From an address that SPF does not allow. */
const ELSEWHERE = { ip: '192.0.2.99' }

t.test('a message that is who it says it is', async (t) => {
  const { results, header, temporary } = await verify(sign(MESSAGE), ZONE)
  t.same(results, {
    spf: { result: 'pass', domain: 'example.com' },
    dkim: { result: 'pass', domain: 'example.com', selector: 's' },
    dmarc: { result: 'pass', domain: 'example.com', policy: 'reject' },
    arc: { result: 'none' },
  })
  t.equal(temporary, false)
  t.match(
    header,
    /^mx\.example;\r\n spf=pass smtp\.mailfrom=ann@example\.com;\r\n spf=none smtp\.helo=mail\.example\.com;\r\n dkim=pass header\.d=example\.com header\.s=s/,
  )
  t.match(header, /dmarc=pass header\.from=example\.com policy\.dmarc=reject$/)
})

t.test('a message that is not', async (t) => {
  const forged = await verify(MESSAGE, ZONE, ELSEWHERE)
  t.match(forged.results, {
    spf: { result: 'fail' },
    dkim: { result: 'none' },
    dmarc: { result: 'fail', policy: 'reject' },
  })
  const tampered = await verify(sign(MESSAGE).replace('the body', 'the bodY'), ZONE, ELSEWHERE)
  t.match(tampered.results, { dkim: { result: 'fail', domain: 'example.com' }, dmarc: { result: 'fail' } })
  t.equal(tampered.temporary, false)
})

t.test('a domain that publishes nothing neither passes nor fails', async (t) => {
  const { results, temporary } = await verify(MESSAGE, {})
  t.same(results, {
    spf: { result: 'none', domain: 'example.com' },
    dkim: { result: 'none', domain: null, selector: null },
    dmarc: { result: 'none', domain: 'example.com', policy: null },
    arc: { result: 'none' },
  })
  t.equal(temporary, false)
})

t.test('a second From, or none, fails whatever passes, under the strictest policy that is named', async (t) => {
  const two = `From: eve@example.org\r\n${MESSAGE}`
  t.match(await verify(sign(two), ZONE, { fromCount: 2 }), {
    results: { dmarc: { result: 'fail', domain: null, policy: 'reject' } },
    temporary: false,
  })
  const both = 'From: eve@example.org, ann@example.com\r\n\r\nx\r\n'
  t.match((await verify(both, ZONE, { fromCount: 2 })).results.dmarc, { result: 'fail', policy: 'reject' })
  t.match((await verify(both, {}, { fromCount: 2 })).results.dmarc, { result: 'fail', policy: null })
  t.match((await verify('Subject: x\r\n\r\nx\r\n', ZONE, { fromCount: 0 })).results.dmarc, {
    result: 'fail',
    policy: null,
  })
  t.match(
    (await verify(MESSAGE, ZONE, { fromCount: 2 })).results.dmarc,
    { result: 'fail' },
    'our parser saw another one',
  )
})

t.test('the policy in any case, and that of a sub-domain', async (t) => {
  const policy = async (from: string, text: string) =>
    (await verify(`From: a@${from}\r\n\r\nx\r\n`, { '_dmarc.example.com': text }, { mailFrom: '' })).results.dmarc
      .policy
  t.equal(await policy('example.com', 'v=DMARC1; p=Reject'), 'reject')
  t.equal(await policy('example.com', 'v=DMARC1;p=QUARANTINE;'), 'quarantine')
  t.equal(await policy('news.example.com', 'v=DMARC1; p=none; sp=reject'), 'reject')
  t.equal(await policy('a.b.example.com', 'v=DMARC1; p=reject; sp=none'), 'none')
  t.equal(await policy('example.com', 'v=DMARC1; p=none; sp=reject'), 'none')
})

t.test('alignment: relaxed takes the organization, strict takes the name alone', async (t) => {
  const zone = { ...ZONE, 's._domainkey.mail.example.com': record, 'bounce.example.com': SPF }
  const message = sign(MESSAGE, { domain: 'mail.example.com' })
  t.equal((await verify(message, zone, ELSEWHERE)).results.dmarc.result, 'pass')
  t.equal((await verify(MESSAGE, zone, { mailFrom: 'x@bounce.example.com' })).results.dmarc.result, 'pass')
  const strict = { ...zone, '_dmarc.example.com': `${REJECT}; adkim=s; aspf=s` }
  t.equal((await verify(message, strict, ELSEWHERE)).results.dmarc.result, 'fail')
  t.equal((await verify(MESSAGE, strict, { mailFrom: 'x@bounce.example.com' })).results.dmarc.result, 'fail')
  const other = sign(MESSAGE, { domain: 'example.org' })
  const elsewhere = { ...ZONE, 's._domainkey.example.org': record }
  t.match((await verify(other, elsewhere, ELSEWHERE)).results, { dkim: { result: 'pass' }, dmarc: { result: 'fail' } })
})

t.test('of several signatures the one that speaks for the author is told', async (t) => {
  const zone = { ...ZONE, 's._domainkey.list.example': record, 's._domainkey.broken.example': 'nothing' }
  const own = sign(MESSAGE)
  const signatureOf = (domain: string): string => sign(MESSAGE, { domain }).slice(0, -MESSAGE.length)
  const message = signatureOf('broken.example') + signatureOf('list.example') + own
  const { results, header } = await verify(message, zone, ELSEWHERE)
  t.match(results.dkim, { result: 'pass', domain: 'example.com' })
  t.equal(header.match(/dkim=/g)?.length, 3, 'and all of them are in the field')
  const without = await verify(signatureOf('broken.example') + signatureOf('list.example') + MESSAGE, zone, ELSEWHERE)
  t.match(without.results.dkim, { result: 'pass', domain: 'list.example' })
})

t.test('ten signatures are looked at, and the eleventh costs nothing', async (t) => {
  const zone = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`s${i}._domainkey.example.com`, record]))
  const many = Array.from({ length: 40 }, (_, i) =>
    sign(MESSAGE, { selector: `s${i}` }).slice(0, -MESSAGE.length),
  ).join('')
  const { header, asked } = await verify(many + MESSAGE, zone)
  t.equal(header.match(/dkim=pass/g)?.length, 10)
  t.equal(asked.filter((question) => question.includes('_domainkey')).length, 10)
})

t.test('temporary: when DMARC needs what DNS did not give, and only then', async (t) => {
  const key = 's._domainkey.example.com'
  const cases: [string, boolean, string, Record<string, string>, Partial<VerifyInput>][] = [
    ['no key yet, and SPF fails', true, sign(MESSAGE), { ...ZONE, [key]: 'temporary' }, ELSEWHERE],
    ['no key yet, but SPF passes', false, sign(MESSAGE), { ...ZONE, [key]: 'temporary' }, {}],
    ['no SPF yet, unsigned', true, MESSAGE, { ...ZONE, 'example.com': 'temporary' }, {}],
    ['no SPF yet, but signed', false, sign(MESSAGE), { ...ZONE, 'example.com': 'temporary' }, {}],
    ['no policy yet, nothing passes', true, MESSAGE, { ...ZONE, '_dmarc.example.com': 'temporary' }, ELSEWHERE],
    ['no policy yet, but the author passes', false, MESSAGE, { ...ZONE, '_dmarc.example.com': 'temporary' }, {}],
    [
      'a policy of none',
      false,
      MESSAGE,
      { ...ZONE, 'example.com': 'temporary', '_dmarc.example.com': 'v=DMARC1; p=none' },
      {},
    ],
    ['no policy at all', false, MESSAGE, { 'example.com': 'temporary' }, {}],
    [
      'a domain that could not align',
      false,
      MESSAGE,
      { ...ZONE, 'other.example': 'temporary' },
      { mailFrom: 'x@other.example' },
    ],
  ]
  for (const [name, temporary, message, zone, input] of cases) {
    const verified = await verify(message, zone, input)
    t.equal(verified.temporary, temporary, name)
    if (temporary) t.equal(verified.results.dmarc.result, 'temperror', name)
  }
})

t.test('the null sender is judged by its HELO', async (t) => {
  const { results, header } = await verify(MESSAGE, { 'mail.example.com': SPF }, { mailFrom: '' })
  t.same(results.spf, { result: 'pass', domain: 'mail.example.com' })
  t.match(header, /spf=pass smtp\.helo=mail\.example\.com/)
  t.equal((await verify(MESSAGE, {}, { mailFrom: '', helo: '[192.0.2.1]' })).results.spf.result, 'none')
})

t.test('SPF asks for addresses, mail exchangers and reverse names too', async (t) => {
  const resolver = fakeResolver((name, rrtype) => {
    if (name === 'example.com' && rrtype === 'TXT') return ['v=spf1 mx -all']
    if (name === 'example.com' && rrtype === 'MX') return [{ priority: 1, exchange: 'mx1.example.com' }]
    if (name === 'mx1.example.com' && rrtype === 'A') return ['192.0.2.1']
    if (name === 'ptr.example' && rrtype === 'TXT') return ['v=spf1 ptr:example.com -all']
    if (name === '1.2.0.192.in-addr.arpa' && rrtype === 'PTR') return ['mx1.example.com']
    return 'not_found'
  })
  const authenticator = createAuthenticator({ resolver, authservId: 'mx.example' })
  const input = { raw: Buffer.from(MESSAGE), ip: '192.0.2.1', helo: 'x.example', fromCount: 1 }
  t.equal((await authenticator.verify({ ...input, mailFrom: 'a@example.com' })).results.spf.result, 'pass')
  t.equal((await authenticator.verify({ ...input, mailFrom: 'a@ptr.example' })).results.spf.result, 'pass')
})

t.test('an unsigned message costs no look-up for keys', async (t) => {
  const { asked } = await verify(MESSAGE, ZONE)
  t.notOk(asked.some((question) => question.includes('_domainkey') || question.includes('_bimi')))
})

t.test('nothing that a message says makes it throw', async (t) => {
  const word = fc.constantFrom(
    'a',
    '@',
    '<',
    '>',
    '"',
    '(',
    ')',
    ';',
    ':',
    '=',
    ',',
    '\\',
    '\0',
    ' ',
    '\r\n ',
    '\n',
    'é',
    '=?',
    '.',
  )
  const value = fc.array(word, { maxLength: 12 }).map((words) => words.join(''))
  const tags = fc.constantFrom(
    '',
    'v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=x; b=y;',
    'i=1; a=rsa-sha256; cv=none; d=example.com; s=s; b=y;',
  )
  const name = fc.constantFrom(
    'From',
    'DKIM-Signature',
    'ARC-Seal',
    'ARC-Message-Signature',
    'ARC-Authentication-Results',
    'Content-Type',
  )
  const field = fc.tuple(name, tags, value).map(([n, tag, v]) => `${n}: ${tag}${v}`)
  await fc.assert(
    fc.asyncProperty(fc.array(field, { maxLength: 8 }), value, value, async (fields, mailFrom, helo) => {
      const { header } = await verify(`${fields.join('\r\n')}\r\n\r\nbody\r\n`, ZONE, { mailFrom, helo })
      t.ok(
        header.split('\r\n').every((line, i) => i === 0 || line.startsWith(' ')),
        'and the field stays one field',
      )
    }),
    { numRuns: 300 },
  )
})

t.test('a chain of seals whose keys are missing fails, quietly', async (t) => {
  const set = (i: number): string =>
    `ARC-Seal: i=${i}; a=rsa-sha256; cv=${i === 1 ? 'none' : 'pass'}; d=e.example; s=s; b=AAAA\r\n` +
    `ARC-Message-Signature: i=${i}; a=rsa-sha256; c=relaxed/relaxed; d=e.example; s=s; h=from; bh=AAAA; b=AAAA\r\n` +
    `ARC-Authentication-Results: i=${i}; x.example; spf=pass\r\n`
  const chain = (length: number): string => Array.from({ length }, (_, i) => set(length - i)).join('') + MESSAGE
  t.equal((await verify(chain(3), ZONE)).results.arc.result, 'fail')
  t.equal((await verify(chain(40), ZONE)).results.arc.result, 'fail')
})

t.test('a header made to keep parsers busy changes nothing', async (t) => {
  const folds = ' x\r\n'.repeat(60_000)
  const { results } = await verify(`X-Folds: y\r\n${folds}${sign(MESSAGE)}`, ZONE, ELSEWHERE)
  t.equal(results.dmarc.result, 'pass')
  const from = await verify(`From: ${'group:a@example.com;'.repeat(10_000)}\r\n\r\nx\r\n`, ZONE, { fromCount: 10_000 })
  t.equal(from.results.dmarc.result, 'fail')
})
