/** mailauth, which signs and verifies too, has to agree with what is found here (RFC 6376, RFC 8463). */
import t from 'tap'
import fc from 'fast-check'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { createAuthenticator } from '../../src/authentication/verify.js'
import { ManualClock } from '../../src/lib/clock.js'
import { textResolver } from '../support/peers/fake-resolver.js'
import { ed25519, publicKeyText, rsa2048, signMessage, type SignatureOptions } from './signing.js'

const NOW_MS = Date.parse('2026-06-01T12:00:00Z')
const ZONE: Record<string, string> = {
  'rsa._domainkey.example.com': `v=DKIM1; k=rsa; p=${publicKeyText(rsa2048)}`,
  'ed._domainkey.example.com': `v=DKIM1; k=ed25519; p=${publicKeyText(ed25519)}`,
  's._domainkey.example.com': `v=DKIM1; p=${publicKeyText(rsa2048)}`,
}
const pem = (key: typeof rsa2048): string => key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

async function ours(message: string): Promise<string[]> {
  const authenticator = createAuthenticator({
    resolver: textResolver(ZONE),
    authservId: 'mx.example',
    clock: new ManualClock(NOW_MS),
  })
  const session = { ip: '192.0.2.1', helo: 'x', mailFrom: '', fromCount: 1 }
  const { header } = await authenticator.verify({ raw: Buffer.from(message), ...session })
  const field = header.replace(/\r\n {2}/g, ' ')
  return [...field.matchAll(/^ dkim=(\w+)(?: reason="([^"]*)")?/gm)].map(([, result, reason]) => told(result, reason))
}

async function theirs(message: string): Promise<string[]> {
  const resolver = async (name: string): Promise<string[][]> => {
    const record = ZONE[name]
    if (record === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
    return [[record]]
  }
  const { results } = await dkimVerify(message, { resolver, strict: true, curTime: new Date(NOW_MS) })
  return results.map(({ status: { result, comment, underSized } }) =>
    // What they leave to their caller (RFC 6376 §8.2).
    result === 'pass' && underSized ? told('policy', 'part of the body is not signed') : told(result, comment),
  )
}

const told = (result = '', reason?: string): string => (reason === undefined ? result : `${result}: ${reason}`)

const space = fc.constantFrom('', ' ', '  ', '\t', ' \t ', '\r\n ', '\r\n\t  ')
const word = fc.constantFrom('a', 'hello', 'é', '=?x?=', ';', ':', 'x'.repeat(80))
const text = fc.array(fc.tuple(word, space), { maxLength: 8 }).map((pairs) => pairs.flat().join(''))
const field = fc.tuple(fc.constantFrom('Subject', 'SUBJECT', 'To', 'Date', 'X-Other', 'Cc'), space, text).map((parts) =>
  // A value that ends in a fold of white space alone would be the end of the header for some.
  `${parts[0]}:${parts[1]}${parts[2]}`.replace(/[\r\n\t ]+$/, ' x'),
)
const body = fc
  .array(fc.constantFrom('word', ' ', '  ', '\t', '\r\n', '\r\n', ' \r\n', 'é', '.', 'one two'), { maxLength: 30 })
  .map((pieces) => pieces.join(''))
const form = fc.constantFrom('simple', 'relaxed')
const signing = fc.record({
  canonicalization: fc.tuple(form, form).map((forms) => forms.join('/')),
  isEd25519: fc.boolean(),
  maxBodyLength: fc.option(fc.nat({ max: 60 }), { nil: undefined, freq: 4 }),
})

/** Some changes break a signature, and some only look like it. */
const CHANGES: ((message: string) => string)[] = [
  (message) => message,
  (message) => `${message}\r\n\r\n`,
  (message) => `${message}more\r\n`,
  (message) => message.replace(/word/, 'Word'),
  (message) => message.replace(/\r\n\r\n/, '\r\n\r\n '),
  (message) => message.replace(/ (?=\S+=)/g, '\r\n\t '),
  (message) => message.replace(/; /g, ' ;\t'),
  (message) => `Subject: another\r\n${message}`,
  (message) => message.replace('From:', 'FROM :'),
  (message) => message.replace(/\r\n\r\n/, '\r\nFrom: eve@example.org\r\n\r\n'),
]

t.test('of whatever mailauth signs, whatever happens to it on the way', async (t) => {
  const property = fc.asyncProperty(
    fc.array(field, { maxLength: 5 }),
    body,
    fc.array(signing, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...CHANGES),
    async (fields, content, signatures, change) => {
      const message = ['From: Ann <ann@example.com>', ...fields, '', content].join('\r\n')
      const signatureData = signatures.map(({ isEd25519, ...options }) => ({
        ...options,
        signingDomain: 'example.com',
        selector: isEd25519 ? 'ed' : 'rsa',
        privateKey: pem(isEd25519 ? ed25519 : rsa2048),
      }))
      const made = await dkimSign(message, {
        signingDomain: 'example.com',
        selector: 'rsa',
        privateKey: pem(rsa2048),
        signTime: new Date(NOW_MS),
        signatureData,
      })
      const arrived = change(made.signatures + message)
      t.same(await ours(arrived), await theirs(arrived), arrived)
    },
  )
  await fc.assert(property, { numRuns: 150 })
})

t.test('of tags in any order, with any white space', async (t) => {
  const tag = fc.constantFrom<[string, string | undefined]>(
    ['c', 'relaxed/simple'],
    ['c', 'RELAXED'],
    ['i', 'ann@example.com'],
    ['i', '@sub.ex=61mple.com'],
    ['i', '@example.org'],
    ['l', '3'],
    ['t', String(NOW_MS / 1000)],
    ['t', ''],
    ['x', '1'],
    ['x', '999999999999'],
    ['q', 'dns/txt : other'],
    ['z', 'From:x=3B|b=3Dx'],
    ['v', undefined],
    ['d', 'example.com.'],
    ['s', '-'],
    ['a', 'RSA-SHA256'],
    ['a', 'rsa-sha512'],
    ['h', ' from : \r\n subject'],
    ['h', 'subject'],
  )
  const property = fc.asyncProperty(fc.array(fc.tuple(tag, space), { maxLength: 4 }), space, async (tags, more) => {
    const options: SignatureOptions = {
      tags: Object.fromEntries(
        tags.map(([[name, value], ws]) => [name, value === undefined ? value : ws + value + ws]),
      ),
      more,
    }
    const message = signMessage('From: Ann <ann@example.com>\r\nSubject: hello\r\n\r\nthe body\r\n', options)
    t.same(await ours(message), await theirs(message), message)
  })
  await fc.assert(property, { numRuns: 300 })
})

const MESSAGE = 'From: Ann <ann@example.com>\r\nSubject: hello\r\n\r\nthe body\r\n'
/** Where it doesn't, and why. */
const DIFFERENCES: [why: string, SignatureOptions, theirs: string, ours: string][] = [
  [
    'white space is space, tab and folds (RFC 6376 §2.8), so a domain with another one behind it is none',
    { tags: { d: 'example.com\u00a0' } },
    'pass',
    'neutral: signature syntax error',
  ],
  [
    'a domain that is no UTF-8 is no U-label (RFC 8616 §3), and there is no key to ask for',
    { tags: { d: 'ex\ufffdmple.com' } },
    'neutral: no key',
    'neutral: signature syntax error',
  ],
]

for (const [why, options, wanted, found] of DIFFERENCES) {
  t.test(`mailauth differs: ${why}`, async (t) => {
    const message = signMessage(MESSAGE, options)
    t.same(await theirs(message), [wanted])
    t.same(await ours(message), [found])
  })
}

t.test(
  'mailauth throws at an empty form of the header; without a word it is the simple one (RFC 6376 §3.5)',
  async (t) => {
    const message = signMessage(MESSAGE, { tags: { c: '/simple' } })
    await t.rejects(theirs(message), /canonicalization/)
    t.same(await ours(message), ['pass'])
  },
)

t.test('mailauth differs: comments within an address of From are no part of it (RFC 5322 §3.4.1)', async (t) => {
  const message = 'From: Pete(A nice \\) chap) <pete(his account)@example.com(his host)>\r\n\r\nx\r\n'
  t.same((await dkimVerify(message, { strict: true })).headerFrom, ['account)@example.com(his'])
  const resolver = textResolver({ '_dmarc.example.com': 'v=DMARC1; p=reject' })
  const authenticator = createAuthenticator({ resolver, authservId: 'mx.example' })
  const session = { ip: '192.0.2.1', helo: 'x', mailFrom: '', fromCount: 1 }
  const { results } = await authenticator.verify({ raw: Buffer.from(message), ...session })
  t.match(results.dmarc, { result: 'fail', domain: 'example.com', policy: 'reject' })
})
