/** What `dkim check` finds in records as people publish them. */
import t from 'tap'
import { createResolver } from '../../src/dns/resolver.js'
import { checkKeyRecord, compareRecord } from '../../src/authentication/key-record.js'
import { openDkimKeys } from '../../src/authentication/keys.js'
import { secretFolder } from '../../src/lib/secret-files.js'
import { ManualClock, systemClock } from '../../src/lib/clock.js'
import { textResolver } from '../support/peers/fake-resolver.js'
import { startDnsServer } from '../support/peers/dns-server.js'

const made = async () => {
  const keys = await openDkimKeys({
    files: secretFolder(t.testdir({})),
    clock: new ManualClock(Date.UTC(2026, 10, 21)),
  })
  const [first, second] = await keys.generate('example.com')
  const rsa = [first, second].find((key) => key?.algorithm === 'rsa-sha256')
  const ed25519 = [first, second].find((key) => key?.algorithm === 'ed25519-sha256')
  const other = (await keys.generate('example.net')).find((key) => key.algorithm === 'rsa-sha256')
  if (!rsa || !ed25519 || !other) throw new Error('no keys')
  return { rsa, ed25519, other }
}

t.test('a record is held against the key itself', async (t) => {
  const { rsa, ed25519, other } = await made()
  const p = /p=(.*)/.exec(rsa.recordValue)?.[1] ?? ''
  const pkcs1 = rsa.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
  const spki25519 = ed25519.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  for (const [name, record, key, expected] of [
    ['as printed', rsa.recordValue, rsa, { result: 'ok', warnings: [] }],
    ['Ed25519 as printed', ed25519.recordValue, ed25519, { result: 'ok', warnings: [] }],
    ['other white space, more tags', `v=DKIM1;k = rsa ;h=sha1:sha256;s=*;n=x;p=${p};`, rsa, { result: 'ok' }],
    ['without k=, which is RSA', `v=DKIM1; p=${p}`, rsa, { result: 'ok' }],
    ['a bare RSAPublicKey', `v=DKIM1; p=${pkcs1}`, rsa, { result: 'ok' }],
    ['without v=', `k=rsa; p=${p}`, rsa, { result: 'ok', warnings: [/v=DKIM1 is missing/] }],
    ['testing', `v=DKIM1; t=s:y; p=${p}`, rsa, { result: 'ok', warnings: [/t=y declares a test/] }],
    ['a space inside', `v=DKIM1; p=${p.slice(0, 99)} ${p.slice(99)}`, rsa, { result: 'ok', warnings: [/white space/] }],
    ['another key', other.recordValue, rsa, { result: 'differs', problem: /another key/ }],
    ['revoked', 'v=DKIM1; p=', rsa, { result: 'differs', problem: /revoked/ }],
    ['cut short', rsa.recordValue.slice(0, 200), rsa, { result: 'wrong', problem: /missing/ }],
    ['not base64', `v=DKIM1; p=${p.slice(0, 99)}"${p.slice(99)}`, rsa, { result: 'wrong', problem: /not base64/ }],
    ['the other type', ed25519.recordValue, rsa, { result: 'wrong', problem: /k=ed25519 must be k=rsa/ }],
    ['no type for Ed25519', 'v=DKIM1; p=AAAA', ed25519, { result: 'wrong', problem: /k=rsa \(the default\)/ }],
    ['a wrapped Ed25519 key', `k=ed25519; p=${spki25519}`, ed25519, { result: 'wrong', problem: /44 octets/ }],
    ['only SHA-1', `v=DKIM1; h=sha1; p=${p}`, rsa, { result: 'wrong', problem: /sha256/ }],
    ['not for mail', `v=DKIM1; s=tlsrpt; p=${p}`, rsa, { result: 'wrong', problem: /email/ }],
    ['v= in the middle', `k=rsa; v=DKIM1; p=${p}`, rsa, { result: 'wrong', problem: /begin with v=DKIM1/ }],
    ['DMARC by mistake', 'v=DMARC1; p=none', rsa, { result: 'wrong', problem: /begin with v=DKIM1/ }],
    ['twice a tag', `v=DKIM1; p=${p}; p=${p}`, rsa, { result: 'wrong', problem: /p= twice/ }],
    ['empty tag', `v=DKIM1;; p=${p}`, rsa, { result: 'wrong', problem: /two semicolons/ }],
    ['a text', 'hello \u0007 world', rsa, { result: 'wrong', problem: '"hello   world" is not a tag such as k=rsa' }],
    ['nothing', '', rsa, { result: 'wrong' }],
  ] as const)
    t.match(compareRecord(record, key), expected, name)
})

t.test('no record, several, a doubled domain and a DNS that is down are told apart', async (t) => {
  const { rsa, other } = await made()
  const found = (records: Record<string, string | string[]>) => checkKeyRecord(textResolver(records), rsa)
  t.match(await found({}), { result: 'missing', problem: 'there is no such TXT record' })
  t.match(await found({ [`${rsa.recordName}.example.com`]: rsa.recordValue }), {
    result: 'missing',
    problem: /entered twice/,
  })
  t.match(await found({ [rsa.recordName]: [rsa.recordValue, other.recordValue] }), {
    result: 'wrong',
    problem: /2 TXT/,
  })
  t.match(await found({ [rsa.recordName]: 'temporary' }), { result: 'unknown' })
})

t.test('a record behind a CNAME counts, in as many strings as it takes', async (t) => {
  const { rsa } = await made()
  const dns = await startDnsServer({
    [rsa.recordName]: { CNAME: ['key1.provider.test'] },
    'key1.provider.test': { TXT: [rsa.recordValue.match(/.{1,50}/g) ?? []] },
  })
  const resolver = createResolver({ servers: [dns.address], clock: systemClock })
  t.match(await checkKeyRecord(resolver, rsa), { result: 'ok', warnings: [] })
  resolver.close()
  await dns.close()
})
