/** Read receipts (RFC 8098), which a mail program sends from the null sender. */
import t from 'tap'
import { approvedAgent, waitForEvent } from '../support/agent.js'
import { opensslPeer } from '../support/peers/certificates.js'
import { startPeer } from '../support/peers/peer-server.js'
import { idIn, relayingToPeer, startWorld, submit } from './world.js'

const receipt = (from: string, type = 'multipart/report; report-type=disposition-notification'): string[] => [
  `From: ${from}`,
  'To: bob@peer.test',
  'Subject: Read: your message',
  'Message-ID: <receipt@laptop.test>',
  `Content-Type: ${type}; boundary=b`,
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'It was shown.',
  '--b',
  'Content-Type: message/disposition-notification',
  '',
  `Final-Recipient: rfc822;${from}`,
  'Original-Message-ID: <asked@peer.test>',
  'Disposition: manual-action/MDN-sent-manually; displayed',
  '',
  '--b--',
]

t.test('a receipt goes out without a sender, and nothing comes back for it', opensslPeer(), async (t) => {
  const peer = await startPeer({ rcpt: (address) => (address.startsWith('no') ? '550 5.2.1 not in use' : undefined) })
  t.teardown(() => peer.close())
  const world = await startWorld(t, await relayingToPeer(t, peer.port))
  const { agent, daemon } = world
  const { text } = await world.appPassword()
  const dialog = await world.signedIn(text)
  const send = (to: string[], lines: string[], parameters = '') => submit(dialog, { from: '', to, lines, parameters })

  const sent = await send(['bob@peer.test'], receipt(agent.address), ' ENVID=x')
  t.match(sent, /^250 /)
  await waitForEvent(agent, ({ data }) => data.message_id === idIn(sent) && data.status === 'delivered')
  t.match(peer.mail, [{ from: '', to: ['bob@peer.test'] }])
  t.ok(peer.commands.some((line) => line.startsWith('MAIL FROM:<>')))

  const failed = await send(['nobody@peer.test'], receipt(agent.address))
  await waitForEvent(agent, ({ data }) => data.message_id === idIn(failed) && data.status === 'bounced')
  const other = await approvedAgent(daemon, 'bob.agent', 'human@example.org')
  const local = await send([other.address], receipt(agent.address))
  await waitForEvent(agent, ({ data }) => data.message_id === idIn(local) && data.status === 'delivered')
  const { data } = (await other.call('GET', '/v1/messages?direction=inbound')).body
  t.match(data, [{ automation: 'auto-reply' }])
  const raw = await fetch(`${daemon.url}/v1/messages/${data[0].id}/raw`, {
    headers: { authorization: `Bearer ${other.key}` },
  })
  t.match(await raw.text(), /^Return-Path: <>\r\n/)
  t.same((await agent.call('GET', '/v1/messages?direction=inbound')).body.data, [], 'no notice of the failure')
  t.same(
    (await agent.call('GET', `/v1/messages/${idIn(sent)}`)).body.null_sender,
    undefined,
    'how it is stored is not shown',
  )

  for (const [what, lines] of [
    ['ordinary mail', [`From: ${agent.address}`, 'Subject: Hello', '', 'Hello.']],
    ['a report of another kind', receipt(agent.address, 'multipart/report; report-type=delivery-status')],
    ['one that is not declared', receipt(agent.address, 'multipart/mixed')],
    ['one without its part', receipt(agent.address).slice(0, 10).concat('--b--')],
  ] as const)
    t.match(
      await send(['bob@peer.test'], [...lines]),
      /^550 5\.7\.1 from <> comes only a read receipt to one recipient/,
      what,
    )
  t.match(
    await send(['bob@peer.test'], receipt('eve@example.org')),
    /^550 5\.7\.1 from <> comes only a read receipt .*ada\.agent@agents\.test/,
  )
  t.match(await send(['bob@peer.test', 'eve@peer.test'], receipt(agent.address)), /^452 4\.5\.3 .*one recipient/)
  await dialog.say('RSET')

  const asking = await world.appPassword({ requires_approval: true })
  const waiting = await world.signedIn(asking.text)
  const refused = await submit(waiting, {
    from: '',
    to: ['bob@peer.test'],
    lines: receipt(agent.address, 'multipart/report; report-type="disposition-notification"'),
  })
  t.match(refused, /^550 5\.6\.0 .*a read receipt cannot wait/)
  t.equal((await agent.call('GET', '/v1/drafts')).body.data.length, 0)
})
