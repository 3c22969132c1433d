/** Signed messages of two other implementations, with their keys. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthenticator } from '../../../src/authentication/verify.js'
import type { Resolver } from '../../../src/dns/types.js'
import { textResolver } from '../../support/peers/fake-resolver.js'
import type { Difference, Suite } from '../suite.js'

const CHASQUID_DATA = 'internal/dkim/testdata'
const DKIMPY_DATA = 'dkim/tests/data'

export const dkimChasquidSuite: Suite = {
  folder: 'dkim-chasquid',
  title: 'DKIM: the messages of chasquid',
  rule: 'RFC 6376, RFC 8463',
  size: 11,
  explanations: {
    '02-too_many_headers': 'chasquid checks five of seven signatures; we check up to ten.',
    '09-limited_body':
      'The first signature covers 17 octets of the body, which RFC 6376 §8.2 advises not to trust; here it is `policy`, no pass.',
  },
  async run(dir) {
    const data = join(dir, CHASQUID_DATA)
    const names = readdirSync(data).flatMap((file) => /^(.*)\.msg$/.exec(file)?.[1] ?? [])
    const differences: Difference[] = []
    for (const name of names) {
      const zone = join(data, `${name}.dns`)
      const resolver = textResolver(existsSync(zone) ? dnsFile(readFileSync(zone, 'utf8')) : {})
      const got = await signatures(crlf(join(data, `${name}.msg`)), resolver)
      const wanted = chasquidResults(join(data, `${name}.result`))
      if (got !== wanted) differences.push({ case: name, got, wanted })
    }
    return { total: names.length, differences }
  },
}

const KEY = 'test._domainkey.football.example.com'
const ED25519_KEY = 'brisbane._domainkey.football.example.com'

export const dkimDkimpySuite: Suite = {
  folder: 'dkim-dkimpy',
  title: 'DKIM: the messages and keys of dkimpy',
  rule: 'RFC 6376, RFC 8463',
  size: 8,
  explanations: {},
  async run(dir) {
    const file = (name: string): string => join(dir, DKIMPY_DATA, name)
    const key = (name: string): string => readFileSync(file(name), 'utf8').trim()
    const signed = crlf(file('rfc6376.signed.msg'))
    const football = {
      [ED25519_KEY]: 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
      [KEY]: key('test.txt'),
    }
    const cases: [name: string, wanted: string, raw: Buffer, zone: Record<string, string>][] = [
      ['rfc6376.signed.msg', 'pass pass', signed, football],
      ['changed', 'fail fail', Buffer.from(signed.toString('latin1').replace('hungry', 'angry'), 'latin1'), football],
      ['test2.txt', 'pass pass', signed, { ...football, [KEY]: key('test2.txt') }],
      ...['badk.txt', 'badversion.txt', 'test_bad.txt', 'test_tlsrpt.txt'].map((name): (typeof cases)[number] => [
        name,
        'pass neutral',
        signed,
        { ...football, [KEY]: key(name) },
      ]),
      ['ed25519test2.msg', 'pass', crlf(file('ed25519test2.msg')), { 'sed._domainkey.test.ex': key('eximtest.dns') }],
    ]
    const differences: Difference[] = []
    for (const [name, wanted, raw, zone] of cases) {
      const got = await signatures(raw, textResolver(zone))
      if (got !== wanted) differences.push({ case: name, got, wanted })
    }
    return { total: cases.length, differences }
  },
}

/** The result of each signature as the Authentication-Results field tells it. */
async function signatures(raw: Buffer, resolver: Resolver): Promise<string> {
  const authenticator = createAuthenticator({ resolver, authservId: 'mx.example' })
  const { header } = await authenticator.verify({ raw, ip: '192.0.2.1', helo: 'x.example', mailFrom: '', fromCount: 1 })
  return [...header.matchAll(/^ dkim=(\w+)/gm)].map((match) => match[1] ?? '').join(' ')
}

function crlf(file: string): Buffer {
  return Buffer.from(readFileSync(file, 'latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

function dnsFile(text: string): Record<string, string | string[]> {
  const names: Record<string, string | string[]> = {}
  for (const line of text.replace(/\\\n\s*/g, '').split('\n')) {
    const [, name, value] = /^(\S+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined || value === 'PERMERROR') continue
    names[name] = value === 'TEMPERROR' ? 'temporary' : [names[name] ?? [], value].flat()
  }
  return names
}

/** What chasquid says of each signature, in words of RFC 8601. Of a message that it can't read it says nothing: unsigned. */
function chasquidResults(file: string): string {
  if (!existsSync(file)) return 'none'
  const words: Record<string, string> = { SUCCESS: 'pass', TEMPFAIL: 'temperror', PERMFAIL: 'neutral' }
  const states = [...readFileSync(file, 'utf8').matchAll(/"State": "(\w+)"/g)].map(
    ([, state]) => words[state ?? ''] ?? '',
  )
  return states.length > 0 ? states.join(' ') : 'none'
}
