/** What the relay sends, as a server received it, checked by verifiers that others wrote. */
import t from 'tap'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDkimKeys } from '../../src/authentication/keys.js'
import { secretFolder } from '../../src/lib/secret-files.js'
import { createSigner } from '../../src/authentication/sign.js'
import { systemClock } from '../../src/lib/clock.js'
import { composeMessage } from '../../src/mime/compose/compose.js'
import type { OutgoingMessage } from '../../src/mime/types.js'
import { peer } from '../support/peers/peers.js'
import { startPeer } from '../support/peers/peer-server.js'
import { startWorld } from './world.js'

const FROM = { address: 'alice@agents.test', name: '' }

function letter(change: Partial<OutgoingMessage>): Promise<Buffer> {
  return composeMessage({
    messageId: 'letter@agents.test',
    date: Date.UTC(2026, 10, 21),
    from: FROM,
    to: [{ address: 'bob@peer.test', name: '' }],
    cc: [],
    replyTo: [],
    subject: 'A letter',
    text: 'Good morning.\n',
    html: null,
    attachments: [],
    inReplyTo: null,
    references: [],
    ...change,
  })
}

const HEADER = ['From: alice@agents.test', 'To: bob@peer.test', 'Subject: odd', 'MIME-Version: 1.0', '', ''].join(
  '\r\n',
)
const odd = (body: string, header = HEADER): Buffer => Buffer.from(`${header}${body}`, 'latin1')
const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

const binary = Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * 7) % 256))

/** As agents send them, and as nobody should. A name and its colon stand together in all: dkimpy reads nothing else. */
const CORPUS: Record<string, () => Buffer | Promise<Buffer>> = {
  'a plain text': () => letter({}),
  'an empty text': () => letter({ text: '' }),
  'words of many scripts': () =>
    letter({ subject: 'Grüße 你好 🎉 '.repeat(20), text: 'Größe, размер, サイズ\n'.repeat(50) }),
  'names beyond ASCII': () =>
    letter({
      from: { ...FROM, name: 'Jörg “Alice” Müller, 社長' },
      to: [{ address: 'bob@peer.test', name: 'Ωμέγα; (comment) <x@y>' }],
    }),
  'addresses beyond ASCII': () => letter({ cc: [{ address: 'jörg@müller.example', name: '' }] }),
  'lines longer than a line may be': () => letter({ text: `${'x'.repeat(5000)}\n${'word '.repeat(1000)}\n` }),
  'white space at the ends of lines': () => letter({ text: 'one \ntwo\t\n  three  \t \n\n\n \n' }),
  'lines that begin with dots': () => letter({ text: '.\n..\n.hidden\n...\n' }),
  'text, HTML and files': () =>
    letter({
      html: '<p>Good <b>morning</b></p>',
      attachments: [
        { filename: 'Übersicht 2026.bin', contentType: 'application/octet-stream', content: binary },
        { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('no line end') },
      ],
    }),
  'a forwarded message': () =>
    letter({ forwarded: { filename: 'original.eml', raw: Buffer.from('From: x@y.example\n\nbare\nline ends \n') } }),
  'many recipients and references': () =>
    letter({
      to: Array.from({ length: 50 }, (_, n) => ({ address: `person${n}@peer.test`, name: `Person ${n}` })),
      inReplyTo: 'a@b.example',
      references: Array.from({ length: 60 }, (_, n) => `reference-${n}@some.long.domain.example`),
    }),
  'half a megabyte': () => letter({ text: 'The same line over and over again, until it is large.\n'.repeat(10_000) }),
  'a body of nothing': () => odd(''),
  'a body of empty lines': () => odd('\r\n\r\n\r\n'),
  'a body of white space': () => odd(' \t \r\n \r\n'),
  'no line end at the end': () => odd('no line end'),
  'white space and no line end': () => odd('x \t'),
  'eight bits of no known charset': () => odd('\xe4\xf6\xfc \xff\xfe\r\n\xa0\r\n'),
  'raw UTF-8 in the header': () =>
    odd('hello\r\n', `From: ${utf8('Jörg')} <alice@agents.test>\r\nSubject: ${utf8('你好')}\r\n\r\n`),
  'lines of 998 octets': () => odd(`${'y'.repeat(998)}\r\n${'z'.repeat(998)}\r\n`),
  'a header of 300 fields': () =>
    odd('hello\r\n', `${Array.from({ length: 300 }, (_, n) => `X-Field-${n}: value ${n}\r\n`).join('')}${HEADER}`),
  'fields that repeat, fold and have odd space': () =>
    odd(
      'hello\r\n',
      `To:bob@peer.test\r\nSubject:\r\n \t folded\r\n\tagain  \r\nComments: a\r\nComments: b\r\n${HEADER}`,
    ),
}

const OPENDKIM = '/usr/sbin/opendkim'

t.test('what the relay sends is verified by others as they received it', async (t) => {
  const dir = t.testdir({})
  const keys = await openDkimKeys({ files: secretFolder(join(dir, 'dkim')), clock: systemClock })
  const made = await keys.generate('agents.test')
  const records = Object.fromEntries(made.map(({ recordName, recordValue }) => [recordName, recordValue]))
  const signer = createSigner(keys)
  const server = await startPeer({ extensions: ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 10000000'] })
  const world = await startWorld(server.port, {
    signer: { sign: (raw, domain) => signer.sign(Buffer.from(raw), domain) },
  })
  t.teardown(async () => {
    await world.close()
    await server.close()
  })

  const folder = join(dir, 'received')
  mkdirSync(folder)
  const names = Object.keys(CORPUS)
  for (const [n, make] of Object.values(CORPUS).entries()) {
    await world.send(`msg_${n}`, ['bob@peer.test'], await make())
    const recipient = await world.settled(`msg_${n}`, 'bob@peer.test')
    t.equal(recipient.status, 'delivered', names[n] ?? '')
    writeFileSync(join(folder, String(n)), server.mail.at(-1)?.raw ?? '', 'latin1')
  }
  const both = { 'rsa-sha256': true, 'ed25519-sha256': true }

  t.test('dkimpy passes both signatures', peer('python3-dkim', '/usr/bin/dkimverify'), async (t) => {
    writeFileSync(join(dir, 'records.json'), JSON.stringify(records))
    const script = join(process.cwd(), 'test/support/dkim-verify-folder.py')
    const output = execFileSync('/usr/bin/python3', [script, folder, join(dir, 'records.json')], { encoding: 'utf8' })
    const found: Record<number, unknown> = JSON.parse(output)
    for (const [n, name] of names.entries()) t.same(found[n], both, name)
  })

  t.test('OpenDKIM passes both signatures', peer('opendkim', OPENDKIM), async (t) => {
    const lines = Object.entries(records).map(([name, value]) => `${name} ${value}\n`)
    writeFileSync(join(dir, 'records'), lines.join(''))
    writeFileSync(join(dir, 'opendkim.conf'), `Mode v\nTestPublicKeys ${join(dir, 'records')}\n`)
    for (const [n, name] of names.entries()) {
      const args = ['-t', join(folder, String(n)), '-x', join(dir, 'opendkim.conf'), '-vvv']
      const output = execFileSync(OPENDKIM, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      const found = Object.fromEntries(
        Object.keys(both).map((algorithm) => [
          algorithm,
          new RegExp(`dkim=pass[^;]*header\\.a=${algorithm}`).test(output),
        ]),
      )
      t.same(found, both, name)
    }
  })
})
