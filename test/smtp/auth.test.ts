import t from 'tap'
import { SignIn, type AuthStep } from '../../src/smtp/auth.js'
import { takingTokens } from '../../src/smtp/oauth-bearer.js'
import { reply } from '../../src/smtp/replies.js'

const SECURE = { tls: {}, greetedWith: 'EHLO', isAuthenticated: false, transaction: undefined } as const
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const begin = (argument: string, change: object = {}): AuthStep =>
  new SignIn().begin(argument, { ...SECURE, ...change })
const code = (step: AuthStep): number | string => (step.kind === 'refused' ? step.reply.code : step.kind)

t.test('PLAIN in one step and in two', async (t) => {
  const credentials = { name: 'ada@agents.test', password: 'pässword' }
  const sent = base64(`\0${credentials.name}\0${credentials.password}`)
  t.same(begin(`plain ${sent}`), { kind: 'credentials', credentials })
  t.same(begin(`PLAIN ${base64(`${credentials.name}\0${credentials.name}\0${credentials.password}`)}`), {
    kind: 'credentials',
    credentials,
  })
  const signIn = new SignIn()
  t.same(signIn.begin('PLAIN', SECURE), { kind: 'challenge', text: '' })
  t.ok(signIn.isOpen)
  t.same(signIn.answer(Buffer.from(sent), undefined), { kind: 'credentials', credentials })
  t.notOk(signIn.isOpen)
})

t.test('what is refused', async (t) => {
  const refusals: [string, number, object?][] = [
    [`PLAIN ${base64('eve\0ada\0x')}`, 535],
    [`PLAIN ${base64('ada\0x')}`, 501],
    [`PLAIN ${base64('\0ada\0')}`, 501],
    [`PLAIN ${base64('\0\0x')}`, 501],
    [`PLAIN ${base64('\0ada\0x\0y')}`, 501],
    ['PLAIN =', 501],
    ['PLAIN AA=A', 501],
    [`PLAIN ${Buffer.from([0, 0xff, 0, 0x41]).toString('base64')}`, 501],
    ['PLAIN AAAA AAAA', 504],
    ['GSSAPI', 504],
    ['', 504],
    ['PLAIN', 538, { tls: undefined }],
    ['PLAIN', 503, { greetedWith: 'HELO' }],
    ['PLAIN', 503, { isAuthenticated: true }],
    ['PLAIN', 503, { transaction: {} }],
  ]
  for (const [argument, expected, change] of refusals) t.equal(code(begin(argument, change)), expected, argument)
})

t.test('a cancelled or malformed answer ends the exchange', async (t) => {
  for (const [line, defect] of [
    ['*', undefined],
    ['%', undefined],
    ['AAAA', 'bare LF'],
  ] as const) {
    const signIn = new SignIn()
    signIn.begin('LOGIN', SECURE)
    t.equal(code(signIn.answer(Buffer.from(line), defect)), 501)
    t.notOk(signIn.isOpen)
  }
})

t.test('a token is taken where there are some, and a refused one gets its reason before the reply', async (t) => {
  const tokens = takingTokens({ scope: 'smtp', configuration: 'https://mail.example.com/metadata' })
  const credentials = { name: 'ada@agents.test', token: 'abc', mechanism: 'XOAUTH2' as const }
  const sent = base64('user=ada@agents.test\x01auth=Bearer abc\x01\x01')
  t.equal(code(begin(`XOAUTH2 ${sent}`)), 504, 'without tokens')
  const signIn = new SignIn(tokens)
  t.same(signIn.begin(`xoauth2 ${sent}`, SECURE), { kind: 'credentials', credentials })
  t.same(signIn.begin('XOAUTH2', SECURE), { kind: 'challenge', text: '' })
  t.same(signIn.answer(Buffer.from(sent), undefined), { kind: 'credentials', credentials })
  t.equal(code(signIn.begin(`OAUTHBEARER ${sent}`, SECURE)), 501)
  t.equal(code(signIn.begin('OAUTHBEARER %', SECURE)), 501)
  t.equal(code(signIn.begin(`OAUTHBEARER ${sent}`, { ...SECURE, tls: undefined })), 538)

  const wrong = reply(535, '5.7.8', 'wrong', 'wrong_token')
  for (const answer of ['', 'AQ==', '*', 'nonsense %']) {
    const challenge = signIn.refuse(credentials, wrong)
    t.match(challenge, { kind: 'challenge', text: tokens.refusal('XOAUTH2', 'invalid_token') })
    t.ok(signIn.isOpen)
    t.same(signIn.answer(Buffer.from(answer), undefined), { kind: 'refused', reply: wrong }, answer)
    t.notOk(signIn.isOpen)
  }
  const narrow = reply(525, '5.7.13', 'not this', 'insufficient_scope')
  t.match(signIn.refuse({ ...credentials, mechanism: 'OAUTHBEARER' }, narrow), {
    text: tokens.refusal('OAUTHBEARER', 'insufficient_scope'),
  })
  t.equal(code(signIn.answer(Buffer.from('AQ=='), undefined)), 525)
  for (const final of [reply(525, '5.7.13', 'suspended', 'account_suspended'), reply(421, '4.7.0', 'too often')])
    t.same(signIn.refuse(credentials, final), { kind: 'refused', reply: final })
  t.same(signIn.refuse({ name: 'ada', password: 'x' }, wrong), { kind: 'refused', reply: wrong }, 'a password')
  t.notOk(signIn.isOpen)
})
