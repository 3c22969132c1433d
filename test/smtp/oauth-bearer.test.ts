import t from 'tap'
import { takingTokens, type TokenMechanism } from '../../src/smtp/oauth-bearer.js'

const { read, refusal } = takingTokens({ scope: 'imap', configuration: 'https://mail.example.com/metadata' })
const bytes = (text: string): Buffer => Buffer.from(text.replaceAll('|', '\x01'))

t.test('messages of programs are read', async (t) => {
  const cases: [TokenMechanism, string, string | undefined, string][] = [
    // The example of RFC 7628 §4.1.
    [
      'OAUTHBEARER',
      'n,a=user@example.com,|host=server.example.com|port=143|auth=Bearer vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg==||',
      'user@example.com',
      'vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg==',
    ],
    ['OAUTHBEARER', 'n,,|auth=Bearer abc||', undefined, 'abc'],
    ['OAUTHBEARER', 'y,a=a=2Cb=3D2C@example.com,|auth=bearer  abc||', 'a,b=2C@example.com', 'abc'],
    ['OAUTHBEARER', 'n,a=jürgen@example.com,|auth=Bearer abc|later=what ever||', 'jürgen@example.com', 'abc'],
    // To ask where to get a token.
    ['OAUTHBEARER', 'n,a=user@example.com,||', 'user@example.com', ''],
    ['OAUTHBEARER', 'n,,|auth=Bearer ||', undefined, ''],
    ['OAUTHBEARER', 'n,,|auth=||', undefined, ''],
    ['XOAUTH2', 'user=user@example.com|auth=Bearer abc||', 'user@example.com', 'abc'],
    ['XOAUTH2', 'auth=Bearer abc|user=jürgen@example.com||', 'jürgen@example.com', 'abc'],
    ['XOAUTH2', 'user=user@example.com|auth=Bearer ||', 'user@example.com', ''],
  ]
  for (const [mechanism, message, name, token] of cases)
    t.same(read(mechanism, bytes(message)), { name, token }, message)
})

t.test('others are refused, however long', async (t) => {
  const cases: [TokenMechanism, string][] = [
    ['OAUTHBEARER', ''],
    ['OAUTHBEARER', '|'],
    ['OAUTHBEARER', '||'],
    ['OAUTHBEARER', '|||'],
    ['OAUTHBEARER', 'n,a=user@example.com|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,a=,|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,a=a=b,|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,a=a,b,|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,a=a\0b,|auth=Bearer abc||'],
    ['OAUTHBEARER', 'p=tls-exporter,a=user@example.com,|auth=Bearer abc||'],
    ['OAUTHBEARER', 'N,a=user@example.com,|auth=Bearer abc||'],
    ['OAUTHBEARER', 'user=user@example.com|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,,|auth=Bearer abc|'],
    ['OAUTHBEARER', 'n,,|auth=Bearer abc|||'],
    ['OAUTHBEARER', 'n,,||auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,,|auth=Bearer abc||more'],
    ['OAUTHBEARER', 'n,,|auth=Bearer abc|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,,|auth=Bearerabc||'],
    ['OAUTHBEARER', 'n,,|auth=Bearer a b||'],
    ['OAUTHBEARER', 'n,,|auth=Bearer ä||'],
    ['OAUTHBEARER', 'n,,|auth=MAC abc||'],
    ['OAUTHBEARER', 'n,,|port=imap|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,,|port=|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,,|host=a\0b|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,,|host|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,,|h0st=x|auth=Bearer abc||'],
    ['OAUTHBEARER', 'n,,|=x|auth=Bearer abc||'],
    ['OAUTHBEARER', `n,,|host=${'x'.repeat(5000)}|auth=Bearer abc||`],
    ['OAUTHBEARER', `n,a=${'=2C'.repeat(1000)}=,|auth=Bearer abc||`],
    ['OAUTHBEARER', '|'.repeat(1_000_000)],
    ['XOAUTH2', 'n,a=user@example.com,|auth=Bearer abc||'],
    ['XOAUTH2', 'auth=Bearer abc||'],
    ['XOAUTH2', 'user=|auth=Bearer abc||'],
    ['XOAUTH2', 'user=a\0b|auth=Bearer abc||'],
    ['XOAUTH2', 'user=a|user=b|auth=Bearer abc||'],
    ['XOAUTH2', 'user=user@example.com|auth=Bearer abc|'],
  ]
  for (const [mechanism, message] of cases)
    t.equal(read(mechanism, bytes(message)), undefined, `${mechanism} ${JSON.stringify(message.slice(0, 80))}`)
  t.equal(read('OAUTHBEARER', Buffer.from('n,a=\xff,\x01auth=Bearer abc\x01\x01', 'latin1')), undefined, 'not UTF-8')
})

t.test('a refusal tells where tokens come from', async (t) => {
  const told = (challenge: string): unknown => JSON.parse(Buffer.from(challenge, 'base64').toString())
  const where = { scope: 'imap', 'openid-configuration': 'https://mail.example.com/metadata' }
  t.same(told(refusal('OAUTHBEARER', 'invalid_token')), { status: 'invalid_token', ...where })
  t.same(told(refusal('OAUTHBEARER', 'insufficient_scope')), { status: 'insufficient_scope', ...where })
  t.same(told(refusal('XOAUTH2', 'invalid_token')), { status: '401', schemes: 'bearer', ...where })
})
