/** An agent asks its human by mail: the real daemon writes to a real Postfix, and the human's mail program finds all it needs. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { claim, request } from '../../support/agent.js'
import { run, startDaemon } from '../../support/daemon.js'
import { dkimTool } from '../../support/dkim-verify.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { postfixPeer, startPostfix } from '../../support/peers/postfix.js'
import { allPeers } from '../../support/peers/peers.js'

const peers = allPeers(postfixPeer(), dkimTool())
const LIMITS = { maxHeaderBytes: 65_536, maxParts: 100, maxDepth: 10 }

t.test('a human gets the invite, and each of its links does what it says', peers, async (t) => {
  const postfix = await startPostfix('people.test')
  t.teardown(() => postfix.stop())
  const dns = await startDnsServer({
    'people.test': { MX: [{ priority: 10, exchange: 'mx.people.test' }] },
    'mx.people.test': { A: ['127.0.0.1'] },
  })
  t.teardown(() => dns.close())
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'relay.port': String(postfix.port),
    'relay.allow_private_addresses': 'true',
  })
  t.teardown(() => daemon.remove())

  const agent = await claim(daemon, 'my-robot')
  const note = 'Hello Ana <ana@people.test>,\nI am the helper you set up today. Grüße & thanks!'
  const sent = await agent.call('POST', '/v1/claim/notify', { to: 'ana@people.test', note })
  t.match(sent, { status: 202, body: { to: 'ana@people.test', note, invites_left: 1 } })
  const [raw = Buffer.alloc(0)] = await postfix.nextMail('ana')

  const mail = await parseMessage(raw, LIMITS)
  t.match(mail, {
    from: { address: 'restante@agents.test', name: 'Restante at agents.test' },
    to: [{ address: 'ana@people.test' }],
    subject: 'Approve the mailbox my-robot@agents.test?',
  })
  t.match(mail.headers['content-type'], /^multipart\/alternative/)
  t.equal(mail.headers['auto-submitted'], 'auto-generated')
  t.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  t.match(raw.toString('latin1'), /^Return-Path: <restante@agents\.test>/m)
  t.match(mail.text, '> I am the helper you set up today. Grüße & thanks!')
  t.match(mail.html, 'Hello Ana &lt;ana@people.test&gt;,')
  t.notMatch(mail.html, '<ana@people.test>')

  const file = join(t.testdir({}), 'mail.eml')
  await writeFile(file, raw)
  const { stdout: keys } = await daemon.cli('dkim', 'list', '--json')
  const judged = await run('/usr/bin/python3', [join(process.cwd(), 'test/support/dkim-verify.py'), file], keys)
  t.strictSame(JSON.parse(judged.stdout), [true, true], judged.stderr)
  t.match(
    raw.toString('latin1'),
    /^DKIM-Signature:[^;]*(?:;[^;]*)*; h=[^;]*List-Unsubscribe:\s*List-Unsubscribe-Post/im,
  )

  const [link = ''] = /http:\/\/\S+\/claim\/[0-9A-Za-z]{43}(?=\s)/.exec(mail.text) ?? []
  const shown = await request(link, 'GET')
  t.equal(shown.status, 200)
  t.match(shown.body, 'my-robot@agents.test')

  const oneClick = /^<(.*)>$/.exec(mail.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
  t.equal(oneClick, `${link}/not-me`)
  const scanned = await request(oneClick, 'GET')
  t.match(scanned, { status: 200, body: /<form method="post"/ })
  const before = (await request(`${daemon.url}/v1/claim/challenge`, 'GET')).body.difficulty
  const clicked = await fetch(oneClick, { method: 'POST', body: new URLSearchParams('List-Unsubscribe=One-Click') })
  t.equal(clicked.status, 200)
  t.equal((await request(`${daemon.url}/v1/claim/challenge`, 'GET')).body.difficulty, before + 2)
  const again = await agent.call('POST', '/v1/claim/notify', { to: 'ana@people.test' })
  t.match(again, { status: 403, body: { error: { code: 'recipient_suppressed' } } })
  t.match((await agent.call('GET', '/v1/claim/status')).body, { status: 'pending' })

  const elsewhere = await fetch(oneClick, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams(),
  })
  t.equal(elsewhere.status, 400)
})
