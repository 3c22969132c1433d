/** SASL messages with a token: what is read of any octets is a name and a token that could be sent again. */
import { takingTokens, type TokenMechanism } from '../../src/smtp/oauth-bearer.js'

const { mechanisms, read } = takingTokens({ scope: 'imap', configuration: 'https://mail.test/' })

// prettier-ignore
export const SASL_WORDS = [
  '\x01', '\x01\x01', 'n,', 'y,', 'p=', 'a=', '=2C', '=3D', '=', ',', 'auth=', 'Bearer ', 'user=', 'host=', 'port=', '993', 'ada@agents.test', 'abc==',
  ' ', '\0', '\r\n', '\u00e9', 'x'.repeat(4096),
]

export const saslSeeds = (): Buffer[] =>
  [
    'n,a=ada@agents.test,\x01host=mx.test\x01port=993\x01auth=Bearer abc==\x01\x01',
    'y,a=a=2Cb=3D@agents.test,\x01auth=bearer abc\x01\x01',
    'n,,\x01\x01',
    'user=ada@agents.test\x01auth=Bearer abc\x01\x01',
  ].map((text) => Buffer.from(text))

export function checkSasl(input: Buffer): void {
  for (const mechanism of mechanisms) {
    const sent = read(mechanism, input)
    if (!sent) continue
    const { name, token } = sent
    if (name === '' || /[\0\x01]/.test(name ?? '')) throw new Error('a name that no address can be')
    if (!/^[A-Za-z0-9._~+/-]*=*$/.test(token)) throw new Error('a token that no token can be')
    const again = read(mechanism, messageOf(mechanism, name, token))
    if (again?.name !== name || again?.token !== token) throw new Error('not the same when it is sent again')
  }
}

function messageOf(mechanism: TokenMechanism, name: string | undefined, token: string): Buffer {
  const identity = name === undefined ? '' : `a=${name.replaceAll('=', '=3D').replaceAll(',', '=2C')}`
  const first = mechanism === 'OAUTHBEARER' ? `n,${identity},` : `user=${name ?? ''}`
  return Buffer.from(`${first}\x01auth=Bearer ${token}\x01\x01`)
}
