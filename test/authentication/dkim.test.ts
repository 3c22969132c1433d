/** What counts as a signature (RFC 6376, RFC 8301, RFC 8463), each case with a signature made for it. */
import t from 'tap'
import { createAuthenticator } from '../../src/authentication/verify.js'
import { ManualClock, SECOND } from '../../src/lib/clock.js'
import { textResolver } from '../support/peers/fake-resolver.js'
import {
  ed25519,
  publicKeyText,
  rsa1024,
  rsa2048,
  rsa768,
  signMessage,
  type KeyPair,
  type SignatureOptions,
} from './signing.js'

const NOW_MS = Date.parse('2026-06-01T12:00:00Z')
const NOW = NOW_MS / SECOND
const HOUR = 3600
const MESSAGE = 'From: Ann <ann@example.com>\r\nSubject: hello\r\n\r\nthe body\r\n'
const KEY_NAME = 's._domainkey.example.com'

const record = (key: KeyPair, tags = 'v=DKIM1; k=rsa'): string => `${tags}; p=${publicKeyText(key)}`

type Zone = Record<string, string | string[]>

/** `dkim` of the Message, and each signature with its reason as the field tells them. */
async function judge(message: string, zone: Zone) {
  const authenticator = createAuthenticator({
    resolver: textResolver(zone),
    authservId: 'mx.example',
    clock: new ManualClock(NOW_MS),
  })
  const input = { ip: '192.0.2.1', helo: 'x.example', mailFrom: 'ann@example.com', fromCount: 1 }
  const { results, header } = await authenticator.verify({ raw: Buffer.from(message), ...input })
  const field = header.replace(/\r\n {2}/g, ' ')
  const signatures = [...field.matchAll(/^ dkim=(\w+)(?: reason="([^"]*)")?/gm)].map(([, result, reason]) =>
    reason === undefined ? result : `${result}: ${reason}`,
  )
  return { ...results, signatures, header }
}

/** A case: what is signed how, the key record, and what has to come out. */
type Case = [name: string, expected: string, options: SignatureOptions, key?: string | string[]]

const tag = (tags: SignatureOptions['tags']): SignatureOptions => ({ tags })

const CASES: Case[] = [
  ['RSA of 2048 bits', 'pass', {}],
  ['RSA of 1024 bits, the least that counts (RFC 8301 §3.2)', 'pass', { key: rsa1024 }, record(rsa1024)],
  ['RSA of 768 bits', 'policy: weak-key', { key: rsa768 }, record(rsa768)],
  ['Ed25519 (RFC 8463)', 'pass', { key: ed25519 }, record(ed25519, 'v=DKIM1; k=ed25519')],
  ['SHA-1 (RFC 8301 §3.1)', 'policy: weak algorithm', { hash: 'sha1' }],
  ['an algorithm nobody knows', 'neutral: unknown algorithm', tag({ a: 'rsa-md5' })],
  ['Ed25519 with SHA-1', 'neutral: unknown algorithm', tag({ a: 'ed25519-sha1' })],

  ['v= missing', 'neutral: signature missing required tag', tag({ v: undefined })],
  ['v=2', 'neutral: incompatible version', tag({ v: '2' })],
  ['v=1.0', 'neutral: incompatible version', tag({ v: '1.0' })],
  ['d= missing', 'neutral: signature missing required tag', tag({ d: undefined })],
  ['s= missing', 'neutral: signature missing required tag', tag({ s: undefined })],
  ['h= missing', 'neutral: signature missing required tag', tag({ h: undefined })],
  ['h= empty', 'neutral: signature syntax error', tag({ h: '' })],
  ['bh= missing', 'neutral: signature missing required tag', tag({ bh: undefined })],
  ['bh= of another body', 'fail: body hash did not verify', { body: 'another body\r\n' }],
  ['a tag twice (RFC 6376 §3.2)', 'neutral: signature syntax error', { more: ' d=example.com;' }],
  ['tags nobody knows', 'pass', { more: ' zz=1; foo=bar;' }],
  ['an unknown canonicalization', 'neutral: unknown canonicalization', tag({ c: 'simple/nofws' })],
  ['c= left out is simple/simple', 'pass', tag({ c: undefined })],

  ['h= without From', 'neutral: From field not signed', { fields: ['subject'] }],
  ['h= with From in any case', 'pass', { fields: ['FROM', 'Subject'] }],
  ['h= with fields that are not there', 'pass', { fields: ['from', 'subject', 'sender', 'list-id'] }],

  ['l= that covers a part', 'policy: part of the body is not signed', { tags: { l: '4' }, body: 'the ' }],
  ['l=0', 'policy: part of the body is not signed', { tags: { l: '0' }, body: '' }],
  ['l= that covers the whole', 'pass', tag({ l: '10' })],
  ['l= past the end', 'pass', tag({ l: '99' })],
  ['l= that is no number', 'neutral: signature syntax error', tag({ l: 'ten' })],

  ['t= now', 'pass', tag({ t: String(NOW) })],
  ['t= of a clock that is some minutes ahead', 'pass', tag({ t: String(NOW + 600) })],
  ['t= tomorrow', 'policy: signed in the future', tag({ t: String(NOW + 24 * HOUR) })],
  ['t= that is no number', 'neutral: signature syntax error', tag({ t: 'now' })],
  ['x= not over', 'pass', tag({ t: String(NOW - HOUR), x: String(NOW + HOUR) })],
  ['x= over', 'neutral: expired', tag({ t: String(NOW - 2 * HOUR), x: String(NOW - HOUR) })],
  ['x= over, without t=', 'neutral: expired', tag({ x: String(NOW - 1) })],
  ['x= before t=', 'neutral: invalid expiration', tag({ t: String(NOW), x: String(NOW - HOUR) })],

  ['i= of the domain', 'pass', tag({ i: 'ann@example.com' })],
  ['i= under the domain', 'pass', tag({ i: '@mail.example.com' })],
  ['i= of another domain', 'neutral: domain mismatch', tag({ i: '@example.org' })],
  ['i= of a domain that only ends alike', 'neutral: domain mismatch', tag({ i: '@badexample.com' })],
  ['i= above the domain', 'neutral: signature syntax error', tag({ i: '@com' })],
  ['q=dns/txt', 'pass', tag({ q: 'dns/txt' })],
  ['q= with one that is known among others', 'pass', tag({ q: 'http/x:dns/txt' })],
  ['q= that is not known', 'neutral: unsupported query method', tag({ q: 'http/x' })],

  ['no key', 'neutral: no key', {}, []],
  ['a key record without k= is RSA', 'pass', {}, `p=${publicKeyText(rsa2048)}`],
  ['a revoked key', 'neutral: invalid public key', {}, 'v=DKIM1; k=rsa; p='],
  ['a key that is no key', 'neutral: unknown key type', {}, 'v=DKIM1; k=rsa; p=AAAA'],
  ['a key of another type', 'neutral: unknown key type', {}, record(rsa2048, 'v=DKIM1; k=ed25519')],
  ['a key for another algorithm', 'neutral: inappropriate key algorithm', {}, record(ed25519, 'v=DKIM1; k=ed25519')],
  ['a key of another version', 'neutral: unknown key version', {}, record(rsa2048, 'v=DKIM2; k=rsa')],
  ['v= of the key not in the first place', 'neutral: unknown key version', {}, record(rsa2048, 'k=rsa; v=DKIM1')],
  ['the key of somebody else', 'fail: bad signature', {}, record(rsa1024)],
  ['a key for SHA-256', 'pass', {}, record(rsa2048, 'v=DKIM1; h=sha1:sha256')],
  ['a key for SHA-1 only', 'neutral: inappropriate hash algorithm', {}, record(rsa2048, 'v=DKIM1; h=sha1')],
  ['a key for every service', 'pass', {}, record(rsa2048, 'v=DKIM1; s=*')],
  ['a key for mail', 'pass', {}, record(rsa2048, 'v=DKIM1; s=other:email')],
  ['a key for another service', 'neutral: key not for email', {}, record(rsa2048, 'v=DKIM1; s=tlsrpt')],
  ['unknown tags and notes in the key', 'pass', {}, record(rsa2048, 'v=DKIM1; n=hello; zz=1')],
  ['a tag of the key twice', 'neutral: invalid public key', {}, record(rsa2048, 'v=DKIM1; k=rsa; k=rsa')],
  ['key t=s, and i= is the domain', 'pass', tag({ i: '@example.com' }), record(rsa2048, 'v=DKIM1; t=s')],
  [
    'key t=s, and i= is under the domain',
    'neutral: domain mismatch',
    tag({ i: '@mail.example.com' }),
    record(rsa2048, 'v=DKIM1; t=s'),
  ],
  ['key t=y, and the signature holds', 'pass', {}, record(rsa2048, 'v=DKIM1; t=y')],
  ['key t=y, and it does not', 'neutral: the domain is testing DKIM', {}, record(rsa1024, 'v=DKIM1; t=y:s')],
  ['DNS that does not answer', 'temperror: the key could not be looked up', {}, 'temporary'],
  [
    'two keys under one selector: the one of the algorithm counts',
    'pass',
    {},
    [record(ed25519, 'v=DKIM1; k=ed25519'), record(rsa2048)],
  ],
  ['in whatever order they come', 'pass', { key: ed25519 }, [record(rsa2048), record(ed25519, 'v=DKIM1; k=ed25519')]],
  ['another text beside the key', 'pass', {}, ['v=spf1 -all', record(rsa2048)]],
]

for (const [name, expected, options, key = record(rsa2048)] of CASES) {
  t.test(`${name}: ${expected}`, async (t) => {
    const { signatures, dkim } = await judge(signMessage(MESSAGE, options), key.length === 0 ? {} : { [KEY_NAME]: key })
    t.same(signatures, [expected])
    t.equal(dkim.result, /^\w+/.exec(expected)?.[0])
  })
}

t.test('what is added after signing', async (t) => {
  const zone = { [KEY_NAME]: record(rsa2048), '_dmarc.example.com': 'v=DMARC1; p=reject' }
  const once = signMessage(MESSAGE)
  const over = signMessage(MESSAGE, { fields: ['from', 'from', 'subject', 'subject'] })
  const results = async (message: string) => {
    const { signatures, dmarc } = await judge(message, zone)
    return [...signatures, dmarc.result]
  }
  t.same(await results(once), ['pass', 'pass'])
  t.same(await results(over), ['pass', 'pass'])
  t.same(await results(`List-Id: <l.example>\r\n${over}`), ['pass', 'pass'], 'a field that is not signed')
  t.same(await results(`Subject: money\r\n${once}`), ['pass', 'pass'], 'a Subject on top of one that is signed once')
  t.same(await results(`Subject: money\r\n${over}`), ['fail: bad signature', 'fail'], 'and of one that is over-signed')
  const twice = 'From: Eve <eve@example.org>\r\n'
  t.same(await results(`${twice}${over}`), ['fail: bad signature', 'fail'], 'a second From breaks what over-signs it')
  t.same(await results(`${twice}${once}`), ['pass', 'fail'], 'and DMARC fails even where the signature holds')
  const below = once.replace('Subject: hello', 'Subject: hello\r\nFrom: Eve <eve@example.org>')
  t.same(await results(below), ['fail: bad signature', 'fail'], 'wherever it stands')
  t.same(await results(once.replace('hello', 'Hello')), ['fail: bad signature', 'fail'], 'a field that was changed')
})

t.test('nothing that a signature says can write into our field', async (t) => {
  const evil = 'example.com dkim=pass header.d=bank.example'
  for (const tags of [
    { d: evil },
    { s: 'a"; dmarc=pass header.from=bank.example; x="' },
    { d: 'example.com\r\n Authentication-Results: mx.example', s: 's' },
    { d: 'exämple.com' },
    { a: 'rsa-sha256 (\r\n dmarc=pass' },
  ]) {
    const { header, signatures } = await judge(signMessage(MESSAGE, { tags }), {})
    t.equal(signatures.length, 1)
    t.notMatch(signatures[0], /pass/)
    t.equal(header.match(/(?:^|; ?)\s*dmarc=/gm)?.length, 1, 'one DMARC result, which is ours')
    t.ok(
      header.split('\r\n').every((line, i) => i === 0 || line.startsWith(' ')),
      'one field',
    )
  }
})

t.test('a signing domain or selector with an underscore is none (RFC 6376 §3.5), and proves nothing', async (t) => {
  const zone = { 's_1._domainkey.example.com': record(rsa2048), 's._domainkey.a_b.example': record(rsa2048) }
  for (const tags of [{ s: 's_1' }, { d: 'a_b.example' }]) {
    const { dkim } = await judge(signMessage(MESSAGE, { tags }), zone)
    t.match(dkim, { result: 'neutral' })
  }
})
