/** A human answers on the pages of their inbox: the answer arrives signed at a server elsewhere, in the same conversation, ten seconds later. */
import t from 'tap'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { run, startDaemon } from '../../support/daemon.js'
import { dkimTool } from '../../support/dkim-verify.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { deliver } from '../../support/peers/smtp.js'

const OWNER = 'bob@owner.test'

t.test('what a human answers arrives signed, and answers the original', async (t) => {
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${peer.port}` })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'front.desk', OWNER)
  const question = { from: 'Carol <carol@peer.test>', to: [agent.address], subject: 'Lunch?', text: 'Noon?' }
  t.match(await deliver(daemon.smtpPort, question), /^250/)
  const { data } = await waitForEvent(agent, ({ type }) => type === 'message.received')
  const original = (await agent.call('GET', `/v1/messages/${data.message_id}`)).body

  const link = /https?:\/\/\S+/.exec((await daemon.cli('account', 'sign-in', OWNER)).stdout)?.[0] ?? ''
  const signedIn = await fetch(`${daemon.url}${new URL(link).pathname}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: '',
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const path = `/inbox/write?reply=${original.mailbox_id}/${original.id}`
  const page = await (await fetch(`${daemon.url}${path}`, { headers: { cookie } })).text()
  const form = new FormData()
  for (const [, name = '', value = ''] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g))
    form.set(name, value)
  form.set('to', /name="to"\s+value="([^"]*)"/.exec(page)?.[1]?.replace('&lt;', '<').replace('&gt;', '>') ?? '')
  form.set('subject', 'Re: Lunch?')
  form.set('text', 'Noon is fine.')
  form.set('files', new Blob(['menu'], { type: 'text/plain' }), 'menü.txt')
  form.set('do', 'send')
  const send = () =>
    fetch(`${daemon.url}/inbox/write`, { method: 'POST', redirect: 'manual', headers: { cookie }, body: form })
  const [sent, again] = [await send(), await send()]
  t.match([sent.status, sent.headers.get('location')], [303, /\/inbox\/mbx_\w+\/thr_\w+\?sent=msg_/])
  t.equal(again.headers.get('location'), sent.headers.get('location'), 'sent twice, it is one message')

  const id = /msg_\w+/.exec(sent.headers.get('location') ?? '')?.[0] ?? ''
  const waiting = (await agent.call('GET', `/v1/messages/${id}`)).body
  t.match(waiting, { status: 'scheduled', composed_by: 'human', thread_id: original.thread_id })
  t.equal(peer.mail.filter(({ to }) => to.includes('carol@peer.test')).length, 0, 'it has not left')
  await waitForEvent(
    agent,
    (event) => event.type === 'message.status' && event.data.message_id === id && event.data.status === 'delivered',
  )
  const [arrived, ...more] = peer.mail.filter(({ to }) => to.includes('carol@peer.test'))
  t.same(more, [])
  const raw = arrived?.raw ?? ''
  t.match(raw, `In-Reply-To: <${original.message_id}>`)
  t.match(raw, `References: <${original.message_id}>`)
  t.match(raw, 'Noon is fine.')
  t.match(raw, /filename\*?[^\r]*men/)
  t.equal(raw.match(/^DKIM-Signature:/gm)?.length, 2, 'signed with RSA and Ed25519')

  await t.test('both signatures verify with another implementation', dkimTool(), async (t) => {
    const records = await daemon.cli('dkim', 'list', '--json')
    const file = join(t.testdir(), 'message.eml')
    await writeFile(file, raw.slice(raw.search(/^DKIM-Signature:/m)))
    const verdict = await run(
      '/usr/bin/python3',
      [join(process.cwd(), 'test/support/dkim-verify.py'), file],
      records.stdout,
    )
    t.same(JSON.parse(verdict.stdout || '[]'), [true, true], verdict.stderr)
  })
})
