/** Signed messages of other implementations, with their keys. */
import t from 'tap'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createAuthenticator } from '../../src/authentication/verify.js'
import type { Resolver } from '../../src/dns/types.js'
import { textResolver } from '../support/fake-resolver.js'

const CHASQUID = '../shared/suites/dkim-chasquid/internal/dkim/testdata'
const DKIMPY = '../shared/suites/dkim-dkimpy/dkim/tests/data'

const skipUnless = (folder: string) => ({ skip: existsSync(folder) ? false : `${folder} is not there` })

/** The result of each signature as the Authentication-Results field tells it. */
async function signatures(raw: Buffer, resolver: Resolver): Promise<string[]> {
  const authenticator = createAuthenticator({ resolver, authservId: 'mx.example' })
  const { header } = await authenticator.verify({ raw, ip: '192.0.2.1', helo: 'x.example', mailFrom: '', fromCount: 1 })
  return [...header.matchAll(/^ dkim=(\w+)/gm)].map((match) => match[1] ?? '')
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

/** What chasquid says of each signature, in words of RFC 8601. */
function chasquidResults(file: string): string[] {
  const words: Record<string, string> = { SUCCESS: 'pass', TEMPFAIL: 'temperror', PERMFAIL: 'neutral' }
  return [...readFileSync(file, 'utf8').matchAll(/"State": "(\w+)"/g)].map(([, state]) => words[state ?? ''] ?? '')
}

t.test('the messages of chasquid', skipUnless(CHASQUID), async (t) => {
  const otherwise: Record<string, string[]> = {
    // Seven signatures, of which chasquid looks at five; here the limit is ten.
    '02-too_many_headers': new Array<string>(7).fill('pass'),
    // Two records for one selector: "the results are undefined" (RFC 6376 §3.6.2.2). Here the first one counts.
    '07-algo_mismatch': ['neutral', 'pass'],
    // The first one covers 17 octets of the body: here that is no pass.
    '09-limited_body': ['policy', 'pass', 'pass'],
  }
  const names = readdirSync(CHASQUID).flatMap((file) => /^(.*)\.result$/.exec(file)?.[1] ?? [])
  t.ok(names.length >= 10, 'the whole suite was run')
  for (const name of names) {
    const zone = `${CHASQUID}/${name}.dns`
    const resolver = textResolver(existsSync(zone) ? dnsFile(readFileSync(zone, 'utf8')) : {})
    const expected = otherwise[name] ?? chasquidResults(`${CHASQUID}/${name}.result`)
    t.same(await signatures(crlf(`${CHASQUID}/${name}.msg`), resolver), expected, name)
  }
})

t.test('the messages of dkimpy', skipUnless(DKIMPY), async (t) => {
  const key = (file: string): string => readFileSync(`${DKIMPY}/${file}`, 'utf8').trim()
  const football = {
    'brisbane._domainkey.football.example.com': 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    'test._domainkey.football.example.com': key('test.txt'),
  }
  const signed = crlf(`${DKIMPY}/rfc6376.signed.msg`)
  t.same(await signatures(signed, textResolver(football)), ['pass', 'pass'])
  const withKey = (record: string) => textResolver({ ...football, 'test._domainkey.football.example.com': record })
  t.same(await signatures(signed, withKey(key('test2.txt'))), ['pass', 'pass'], 'without k= it is RSA')
  for (const file of ['badk.txt', 'badversion.txt', 'test_bad.txt', 'test_tlsrpt.txt']) {
    t.same(await signatures(signed, withKey(key(file))), ['pass', 'neutral'], file)
  }
  const exim = textResolver({ 'sed._domainkey.test.ex': key('eximtest.dns') })
  t.same(await signatures(crlf(`${DKIMPY}/ed25519test2.msg`), exim), ['pass'])
  const tampered = Buffer.from(signed.toString('latin1').replace('hungry', 'angry'), 'latin1')
  t.same(await signatures(tampered, textResolver(football)), ['fail', 'fail'])
})
