/** ARC seals (RFC 8617), judged by three verifiers: our own, mailauth as a whole, and dkimpy. */
import t from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { authenticate } from 'mailauth'
import { headerFields } from '../../src/authentication/canonical.js'
import { sealMessage } from '../../src/authentication/seal.js'
import type { ArcResult, DkimKey } from '../../src/authentication/types.js'
import { createAuthenticator } from '../../src/authentication/verify.js'
import { run } from '../support/daemon.js'
import { dkimTool } from '../support/dkim-verify.js'
import { textResolver } from '../support/peers/fake-resolver.js'
import { publicKeyText, rsa2048 } from './signing.js'

const DOMAINS = ['one.test', 'two.test', 'three.test']
const RECORD = `v=DKIM1; k=rsa; p=${publicKeyText(rsa2048)}`
const RECORDS = Object.fromEntries(DOMAINS.map((domain) => [`s._domainkey.${domain}`, RECORD]))

const keyOf = (domain: string): DkimKey => ({
  domain,
  selector: 's',
  algorithm: 'rsa-sha256',
  privateKey: rsa2048.privateKey,
})

const MESSAGE = Buffer.from(
  [
    'Received: from a by b; Thu, 1 Jan 2026 00:00:00 +0000',
    'From: Carol <carol@peer.test>',
    'To: postmaster@agents.test',
    'Subject: two  words',
    '\tand a fold',
    'Subject: twice',
    'DKIM-Signature: v=1; a=rsa-sha256; d=peer.test; s=x; h=from; bh=; b=',
    '',
    'Some text.  ',
    '',
    '',
    '',
  ].join('\r\n'),
)

async function seal(raw: Buffer, domain: string, chain: ArcResult): Promise<Buffer> {
  const results = `mx.${domain};\r\n spf=pass smtp.mailfrom=carol@peer.test;\r\n dmarc=pass header.from=peer.test`
  const sealed = await sealMessage(raw, { results, chain, key: keyOf(domain), signedAt: 1_767_225_600 })
  if (sealed.kind !== 'sealed') throw new Error(sealed.reason)
  return sealed.raw
}

async function judge(raw: Buffer): Promise<ArcResult> {
  const authenticator = createAuthenticator({ resolver: textResolver(RECORDS), authservId: 'mx.test' })
  const { results } = await authenticator.verify({ raw, ip: '192.0.2.1', helo: 'x.test', mailFrom: '', fromCount: 1 })
  return results.arc.result
}

async function judgeWithLibrary(raw: Buffer): Promise<string | undefined> {
  const resolver = async (name: string): Promise<string[][]> => {
    const record = RECORDS[name]
    if (record === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    return [[record]]
  }
  const { arc } = await authenticate(raw, { ip: '192.0.2.1', helo: 'x.test', sender: '', mta: 'mx.test', resolver })
  return arc === false ? undefined : arc.status.result
}

const WITH_DKIMPY = `
import dkim, json, sys
records = json.load(sys.stdin)
def lookup(name, timeout=5):
    return records.get((name.decode() if isinstance(name, bytes) else name).rstrip('.'), '').encode()
cv, results, reason = dkim.arc_verify(open(sys.argv[1], 'rb').read(), dnsfunc=lookup)
print(json.dumps([(cv or b'').decode(), reason]))
`

async function judgeWithDkimpy(dir: string, raw: Buffer): Promise<string[]> {
  const file = join(dir, 'sealed.eml')
  await writeFile(file, raw)
  const judged = await run('/usr/bin/python3', ['-c', WITH_DKIMPY, file], JSON.stringify(RECORDS))
  if (judged.code !== 0) throw new Error(judged.stderr)
  return JSON.parse(judged.stdout)
}

t.test('a seal holds, and so does one on top of another, wherever it is verified', dkimTool(), async (t) => {
  const dir = t.testdir()
  let raw: Buffer = MESSAGE
  let chain: ArcResult = 'none'
  for (const domain of DOMAINS) {
    raw = await seal(raw, domain, chain)
    chain = await judge(raw)
    t.equal(chain, 'pass', `our own verifier, ${domain}`)
    t.equal(await judgeWithLibrary(raw), 'pass', 'mailauth')
    t.equal((await judgeWithDkimpy(dir, raw))[0], 'pass', 'dkimpy')
  }
  const [top] = headerFields(raw)
  t.match(top?.text, /^ARC-Seal: a=rsa-sha256;[\s\S]*cv=pass;\r\n d=three\.test;\r\n i=3;/)
  t.ok(raw.subarray(-MESSAGE.length).equals(MESSAGE), 'nothing of the message is changed')

  const tampered = Buffer.from(raw.toString('latin1').replace('Some text', 'Other text'), 'latin1')
  t.equal(await judge(tampered), 'fail')
  t.equal((await judgeWithDkimpy(dir, tampered))[0], 'fail')
})

t.test('a chain that is broken is sealed as broken, once', async (t) => {
  const first = await seal(MESSAGE, 'one.test', 'none')
  const broken = Buffer.from(first.toString('latin1').replace('Some text', 'Other text'), 'latin1')
  const sealed = await seal(broken, 'two.test', await judge(broken))
  t.match(headerFields(sealed)[0]?.text, /cv=fail;[\s\S]*i=2;/)
  t.equal(await judge(sealed), 'fail')
  const seals = { results: 'mx.test; none', chain: 'fail' as const, key: keyOf('three.test'), signedAt: 1 }
  t.match(await sealMessage(sealed, seals), { kind: 'unsealed', reason: 'chain ended' })
})

t.test('a chain of fifty sets gets no fifty-first, and nobody else can make a chain look sound', async (t) => {
  const forged = (i: number, cv = 'pass') =>
    `ARC-Seal: i=${i}; a=rsa-sha256; cv=${cv}; d=one.test; s=s; b=AAAA\r\n` +
    `ARC-Message-Signature: i=${i}; a=rsa-sha256; d=one.test; s=s; h=from; bh=AAAA; b=AAAA\r\n` +
    `ARC-Authentication-Results: i=${i}; mx.one.test; none\r\n`
  const sealed = (fields: string, chain: ArcResult) =>
    sealMessage(Buffer.concat([Buffer.from(fields), MESSAGE]), {
      results: 'mx.two.test; none',
      chain,
      key: keyOf('two.test'),
      signedAt: 1,
    })
  t.match(await sealed(forged(50), 'fail'), { kind: 'unsealed', reason: 'chain too long' })
  const behind = await sealed(forged(49), 'fail')
  t.match(behind.kind === 'sealed' && headerFields(behind.raw)[0]?.text, /cv=fail;[\s\S]*i=50;/)
  const unread = await sealed('ARC-Seal: nothing that can be read\r\n', 'none')
  t.match(unread.kind === 'sealed' && headerFields(unread.raw)[0]?.text, /cv=none;[\s\S]*i=1;/)
  const many = Buffer.concat([Buffer.from('DKIM-Signature: x\r\n'.repeat(3000)), MESSAGE])
  const [, signature] = headerFields(await seal(many, 'one.test', 'none'))
  t.ok(
    (signature?.text ?? '').split('\r\n').every((line) => line.length < 998),
    'no line is too long',
  )
})

t.test(
  'a header full of repeated fields is sealed in lines that SMTP carries, and the seal holds',
  dkimTool(),
  async (t) => {
    const names = ['To', 'Cc', 'Subject', 'Date', 'Message-ID', 'In-Reply-To', 'References', 'Reply-To', 'MIME-Version']
    const more = [...names, 'Content-Type', 'Content-Transfer-Encoding', 'List-ID', 'DKIM-Signature']
    const fields = more.map((name) => `${name}: x\r\n`.repeat(40)).join('')
    const raw = await seal(Buffer.concat([Buffer.from(fields), MESSAGE]), 'one.test', 'none')
    t.ok(
      raw
        .toString('latin1')
        .split('\r\n')
        .every((line) => line.length <= 998),
    )
    t.equal(await judge(raw), 'pass')
    t.equal(await judgeWithLibrary(raw), 'pass', 'mailauth')
    t.equal((await judgeWithDkimpy(t.testdir(), raw))[0], 'pass', 'dkimpy')
  },
)

t.test('what a stranger puts beside a sound chain is not vouched for', async (t) => {
  const sound = await seal(MESSAGE, 'one.test', 'none')
  const beside = [
    'ARC-Seal: i=100; cv=none; b=AAAA',
    'ARC-Authentication-Results: i=1; mx.two.test; dmarc=pass',
    'ARC-Message-Signature: nothing',
  ]
  for (const field of beside) {
    const raw = Buffer.concat([Buffer.from(`${field}\r\n`), sound])
    t.match(headerFields(await seal(raw, 'two.test', 'pass'))[0]?.text, /cv=fail;[\s\S]*i=2;/, field)
  }
})

t.test('nothing in the results of a check breaks out of its field', async (t) => {
  const hostile = 'a"\r\nBcc: x@y.test\r\n\r\nbody; dmarc=pass\0'
  const authenticator = createAuthenticator({ resolver: textResolver(RECORDS), authservId: 'mx.test' })
  const raw = Buffer.concat([
    Buffer.from('DKIM-Signature: v=1; a=rsa-sha256; d=x.test; s=a"b\r\n c; h=from; bh=x; b=x\r\n'),
    MESSAGE,
  ])
  const sender = `"${hostile}"@x.test`
  const { header } = await authenticator.verify({ raw, ip: '192.0.2.1', helo: hostile, mailFrom: sender, fromCount: 1 })
  const sealed = await sealMessage(raw, { results: header, chain: 'none', key: keyOf('one.test'), signedAt: 1 })
  const fields = sealed.kind === 'sealed' ? headerFields(sealed.raw) : []
  t.strictSame(
    fields.slice(0, 4).map(({ name }) => name),
    ['arc-seal', 'arc-message-signature', 'arc-authentication-results', 'dkim-signature'],
  )
  t.ok(fields[2]?.text.split('\r\n').every((line, i) => i === 0 || /^[ \t]+\S/.test(line)))
  t.equal(fields.length, headerFields(raw).length + 3)
})
