import t, { type Test } from 'tap'
import { execFileSync } from 'node:child_process'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ManualClock } from '../../src/lib/clock.js'
import { openDkimKeys, type DkimKeyInfo } from '../../src/authentication/keys.js'
import { secretFolder } from '../../src/lib/secret-files.js'
import { createSigner } from '../../src/authentication/sign.js'
import { createAuthenticator } from '../../src/authentication/verify.js'
import { textResolver } from '../support/peers/fake-resolver.js'
import { peer } from '../support/peers/peers.js'

const MESSAGE = Buffer.from(
  [
    'From: =?utf-8?q?J=C3=B6rg?=',
    ' <a@example.com>',
    'To: b@example.net, c@example.net',
    'Subject:  two   spaces\tand a tab ',
    'Message-ID: <x@example.com>',
    'References: <a@b> <c@d>',
    ' <e@f>',
    'Date: Sat, 21 Nov 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'X-Not-Signed: 1',
    '',
    'Dear  reader, \t',
    '',
    '  indented',
    'jörg',
    '',
    '',
    '',
  ].join('\r\n'),
)

/** A message signed now with both keys of example.com, and the keys. */
async function signedMessage(t: Test): Promise<{ signed: Buffer; made: DkimKeyInfo[] }> {
  const clock = new ManualClock(Date.now())
  const keys = await openDkimKeys({ files: secretFolder(t.testdir({})), clock })
  const made = await keys.generate('example.com')
  return { signed: await createSigner(keys, clock).sign(MESSAGE, 'example.com'), made }
}

const records = (made: DkimKeyInfo[]) =>
  Object.fromEntries(made.map(({ recordName, recordValue }) => [recordName, recordValue]))

const tampered = (signed: Buffer, from: string, to: string): Buffer =>
  Buffer.from(signed.toString('latin1').replace(from, to), 'latin1')

t.test('a message is signed with both algorithms, before and without changing anything of it', async (t) => {
  const { signed } = await signedMessage(t)
  t.ok(signed.subarray(-MESSAGE.length).equals(MESSAGE))
  const added = signed.subarray(0, -MESSAGE.length).toString()
  const fields = added.split(/\r\n(?=D)/)
  t.equal(fields.length, 2)
  t.match(fields[0], /^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=example\.com;/)
  t.match(fields[1], /a=ed25519-sha256/)
  t.ok(added.split('\r\n').every((line) => line.length <= 78))
  const listed = /h=([^;]+);/.exec(added.replace(/\s/g, ''))?.[1]
  t.equal(
    listed,
    'From:From:To:Subject:Date:Message-ID:References:MIME-Version:Content-Type',
    'From once more than it is there',
  )
})

/** A second From where somebody on the way could put one: on top, beside the first, at the end of the header. */
const secondFrom = (signed: Buffer): Record<string, Buffer> => ({
  'on top': Buffer.concat([Buffer.from('From: evil@example.org\r\n'), signed]),
  'before the first': tampered(signed, 'From: =?utf', 'From: evil@example.org\r\nFrom: =?utf'),
  'after the first': tampered(signed, 'To: b', 'From: evil@example.org\r\nTo: b'),
  'at the end': tampered(signed, 'X-Not-Signed', 'FROM: evil@example.org\r\nX-Not-Signed'),
})

t.test('mailauth itself passes no signature of ours once a second From is there', async (t) => {
  const { signed, made } = await signedMessage(t)
  const found = records(made)
  const resolver = async (name: string) => [[found[name] ?? '']]
  const results = async (raw: Buffer) =>
    (await dkimVerify(raw, { resolver })).results.map(({ status }) => status.result)
  t.same(await results(signed), ['pass', 'pass'])
  for (const [place, raw] of Object.entries(secondFrom(signed))) t.same(await results(raw), ['fail', 'fail'], place)
})

t.test('our own check passes what we signed', async (t) => {
  const { signed, made } = await signedMessage(t)
  const { resolver, authservId } = { resolver: textResolver(records(made)), authservId: 'mx.example' }
  const verify = (raw: Buffer) =>
    createAuthenticator({ resolver, authservId }).verify({
      raw,
      ip: '192.0.2.1',
      helo: 'x',
      mailFrom: '',
      fromCount: 1,
    })
  const passes = async (raw: Buffer): Promise<number> => (await verify(raw)).header.split('dkim=pass').length - 1
  t.equal(await passes(signed), 2)
  t.equal(await passes(tampered(signed, 'indented', 'intended')), 0)
  t.equal(await passes(tampered(signed, 'Subject: ', 'Subject: Re: ')), 0)
  t.equal(await passes(tampered(signed, 'X-Not-Signed: 1', 'X-Not-Signed: 2')), 2)
  t.equal(await passes(tampered(signed, 'To: b', 'From: evil@example.org\r\nTo: b')), 0, 'a second From breaks it')
})

t.test(
  'dkimpy passes what we signed, and nothing that was changed',
  peer('dkimverify', '/usr/bin/dkimverify'),
  async (t) => {
    const { signed, made } = await signedMessage(t)
    const dir = t.testdir({})
    writeFileSync(join(dir, 'keys.json'), JSON.stringify(records(made)))
    writeFileSync(
      join(dir, 'verify.py'),
      `import dkim, json, sys
keys = json.load(open(sys.argv[1]))
found = lambda name, timeout=5: keys.get(name.decode().rstrip('.'), '').encode()
message = sys.stdin.buffer.read()
def verify(idx):
    try:
        return dkim.DKIM(message).verify(idx=idx, dnsfunc=found)
    except dkim.ValidationError:
        return False
print([verify(0), verify(1)])
`,
    )
    const verify = (input: Buffer): string =>
      execFileSync('/usr/bin/python3', [join(dir, 'verify.py'), join(dir, 'keys.json')], { input })
        .toString()
        .trim()
    t.equal(verify(signed), '[True, True]')
    t.equal(verify(tampered(signed, 'indented', 'intended')), '[False, False]')
    for (const [place, raw] of Object.entries(secondFrom(signed))) t.equal(verify(raw), '[False, False]', place)
  },
)

t.test(
  'OpenDKIM passes what we signed, and nothing that was changed',
  peer('opendkim', '/usr/sbin/opendkim'),
  async (t) => {
    const { signed, made } = await signedMessage(t)
    const dir = t.testdir({})
    const keys = made.map(({ recordName, recordValue }) => `${recordName} ${recordValue}\n`).join('')
    writeFileSync(join(dir, 'keys'), keys)
    writeFileSync(join(dir, 'opendkim.conf'), `Mode v\nTestPublicKeys ${join(dir, 'keys')}\n`)
    const verify = (input: Buffer): string => {
      writeFileSync(join(dir, 'message'), input)
      const args = ['-t', join(dir, 'message'), '-x', join(dir, 'opendkim.conf'), '-vvv']
      return execFileSync('/usr/sbin/opendkim', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    }
    const verified = verify(signed)
    t.match(verified, /dkim=pass \(2048-bit key\)[^;]*header\.a=rsa-sha256/)
    t.match(verified, /dkim=pass[^;]*header\.a=ed25519-sha256/)
    t.notMatch(verify(tampered(signed, 'indented', 'intended')), /dkim=pass/)
  },
)

t.test(
  'what dkimpy signs passes here, and nothing that was changed',
  peer('dkimsign', '/usr/bin/dkimsign'),
  async (t) => {
    const dir = t.testdir({})
    const keys = await openDkimKeys({ files: secretFolder(dir), clock: new ManualClock(Date.UTC(2026, 10, 21)) })
    const made = await keys.generate('example.com')
    const rsa = made.find(({ algorithm }) => algorithm === 'rsa-sha256')
    const args = ['--hcanon', 'simple', '--bcanon', 'simple', rsa?.selector ?? '', 'example.com', rsa?.path ?? '']
    const output = execFileSync('/usr/bin/dkimsign', args, { input: MESSAGE }).toString('latin1')
    // It writes its own field with LF.
    const signed = Buffer.from(output.replace(/\r?\n/g, '\r\n'), 'latin1')
    const resolver = textResolver({ ...records(made), '_dmarc.example.com': 'v=DMARC1; p=reject' })
    const verify = async (raw: Buffer) => {
      const input = { raw, ip: '192.0.2.1', helo: 'x.example', mailFrom: 'a@example.com', fromCount: 1 }
      return (await createAuthenticator({ resolver, authservId: 'mx.example' }).verify(input)).results
    }
    t.match(await verify(signed), {
      dkim: { result: 'pass', domain: 'example.com', selector: 'r20261121' },
      dmarc: { result: 'pass', policy: 'reject' },
    })
    t.match(await verify(tampered(signed, 'indented', 'intended')), {
      dkim: { result: 'fail' },
      dmarc: { result: 'fail' },
    })
  },
)

t.test('a domain without keys sends unsigned', async (t) => {
  const keys = await openDkimKeys({ files: secretFolder(t.testdir({})), clock: new ManualClock() })
  t.equal(await createSigner(keys).sign(MESSAGE, 'example.com'), MESSAGE)
})

t.test('a message with no body, or with nothing but white space in it, is signed and passes', async (t) => {
  const keys = await openDkimKeys({ files: secretFolder(t.testdir({})), clock: new ManualClock() })
  const made = await keys.generate('example.com')
  const authenticator = createAuthenticator({ resolver: textResolver(records(made)), authservId: 'mx.example' })
  for (const body of ['', ' ', '\r\n', ' \r\n\t\r\n\r\n', 'no line end', 'x \t']) {
    const raw = await createSigner(keys).sign(Buffer.from(`From: a@example.com\r\n\r\n${body}`), 'example.com')
    const { results } = await authenticator.verify({ raw, ip: '192.0.2.1', helo: 'x', mailFrom: '', fromCount: 1 })
    t.equal(results.dkim.result, 'pass', JSON.stringify(body))
  }
})
