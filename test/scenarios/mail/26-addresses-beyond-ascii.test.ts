/** Addresses beyond ASCII, from the API and a mail program to a real Postfix that takes them and to one that does not, and back. */
import t, { type Test } from 'tap'
import { waitForEvent } from '../../support/agent.js'
import { postfixPeer, startPostfix } from '../../support/peers/postfix.js'
import { openDialog, type Dialog } from '../../support/peers/smtp-dialog.js'
import { freePort } from '../../support/ports.js'
import { idIn, relayingToPeer, startWorld, type World } from '../../submission/world.js'

const JOSE = 'josé@peer.test'
const ADDRESSES = [JOSE, 'пример@peer.test']

async function startSending(t: Test, extra: string[]) {
  const postfix = await startPostfix('peer.test', extra)
  t.teardown(() => postfix.stop())
  const smtp = await freePort()
  const world = await startWorld(t, { ...(await relayingToPeer(t, postfix.port)), 'smtp.listen': `127.0.0.1:${smtp}` })
  return { ...world, postfix, smtp }
}

const ended = ({ agent }: Pick<World, 'agent'>, id: string, status: string) =>
  waitForEvent(agent, (event) => event.data.message_id === id && event.data.status === status)

const sent = async ({ agent }: Pick<World, 'agent'>, mail: Record<string, unknown>): Promise<string> => {
  const answer = await agent.call('POST', '/v1/send', { subject: 'hello', text: 'Good day.', ...mail })
  t.equal(answer.status, 202, JSON.stringify(answer.body))
  return answer.body.id
}

/** A dialog with the daemon's port for mail from outside. */
async function greeted({ smtp }: { smtp: number }): Promise<Dialog> {
  const dialog = await openDialog(smtp)
  t.teardown(() => dialog.drop())
  await dialog.reply()
  t.match(await dialog.say('EHLO mx.peer.test'), /^250[ -]/)
  return dialog
}

async function incoming({ smtp, agent }: { smtp: number } & Pick<World, 'agent'>, from: string): Promise<void> {
  const dialog = await greeted({ smtp })
  const lines = [
    `From: José <${from}>`,
    `To: ${agent.address}`,
    'Message-ID: <in@peer.test>',
    'Subject: hola',
    '',
    'Hola.',
    '.',
  ]
  for (const command of [`MAIL FROM:<${from}> SMTPUTF8`, `RCPT TO:<${agent.address}>`, 'DATA'])
    t.match(await dialog.say(command), /^[23]/, command)
  t.match(await dialog.say(lines.join('\r\n')), /^250 /)
}

t.test('a server with SMTPUTF8 gets mail to addresses beyond ASCII, and sends it', postfixPeer(), async (t) => {
  const world = await startSending(t, ['smtputf8_enable = yes'])
  const { agent, postfix } = world

  for (const address of ADDRESSES) await ended(world, await sent(world, { to: address }), 'delivered')
  const [raw = ''] = (await postfix.nextMail('josé')).map(String)
  t.match(raw, /^To: josé@peer\.test$/m)
  const decomposed = await sent(world, { to: 'Jose\u0301 <jose\u0301@peer.test>', cc: 'bob@peer.test' })
  await ended(world, decomposed, 'delivered')
  t.match((await agent.call('GET', `/v1/messages/${decomposed}`)).body.to, [{ address: JOSE }], 'in NFC')

  const { text } = await world.appPassword()
  const dialog = await world.signedIn(text)
  for (const command of [`MAIL FROM:<${agent.address}> SMTPUTF8 BODY=8BITMIME`, `RCPT TO:<${JOSE}>`, 'DATA'])
    t.match(await dialog.say(command), /^[23]/, command)
  const reply = await dialog.say(
    [`From: ${agent.address}`, `To: José <${JOSE}>`, 'Subject: año', '', 'x', '.'].join('\r\n'),
  )
  t.match(reply, /^250 /)
  await ended(world, idIn(reply), 'delivered')
  t.match(String((await postfix.nextMail('josé', 3)).at(-1)), /with UTF8SMTP/)

  await incoming(world, JOSE)
  const { data: received } = await waitForEvent(agent, (event) => event.type === 'message.received')
  const id: string = received.message_id
  t.match((await agent.call('GET', `/v1/messages/${id}`)).body, { from: { address: JOSE, name: 'José' } })
  for (const query of [JOSE, 'JOSÉ@peer.test', 'jose\u0301@peer.test']) {
    const list = await agent.call('GET', `/v1/messages?${new URLSearchParams({ q: `from:${query}` })}`)
    t.same(
      list.body.data.map((each: { id: string }) => each.id),
      [id],
      query,
    )
  }
  const answer = await agent.call('POST', `/v1/messages/${id}/reply`, { text: 'Gracias.' })
  t.equal(answer.status, 202)
  await ended(world, answer.body.id, 'delivered')

  const events = await agent.call(
    'GET',
    `/v1/events?${new URLSearchParams({ after: '0', from: 'JOSE\u0301@peer.test' })}`,
  )
  t.match(events.body.data, [{ type: 'message.received' }])
  const entry = { entry: 'JOSÉ@peer.test' }
  t.match(await agent.call('POST', '/v1/lists/receive/block', entry), { status: 201, body: { entry: JOSE } })
  const blocked = await greeted(world)
  await blocked.say(`MAIL FROM:<${JOSE}> SMTPUTF8`)
  t.match(await blocked.say(`RCPT TO:<${agent.address}>`), /^550 5\.7\.1 /, 'a block list names the sender')
  const like = agent.address.replace('a', '\u0430')
  t.match(await blocked.say(`RCPT TO:<${like}>`), /^550 5\.1\.1 /, 'a look-alike of an own address is nobody')
})

t.test('a server without SMTPUTF8 gets none of it, and the author hears why', postfixPeer(), async (t) => {
  const world = await startSending(t, ['smtputf8_enable = no'])
  const { agent, postfix } = world
  const outcome = async (id: string) => (await agent.call('GET', `/v1/messages/${id}`)).body.recipients[0]

  const direct = await sent(world, { to: JOSE })
  await ended(world, direct, 'bounced')
  t.match(await outcome(direct), { status: 'bounced', detail: /^5\.6\.7 mx\.peer\.test .*SMTPUTF8.*ASCII address/ })
  const beside = await sent(world, { to: 'bob@peer.test', cc: 'josé@elsewhere.test' })
  await ended(world, beside, 'bounced')
  t.match(await outcome(beside), { status: 'bounced', detail: /^5\.6\.7 .*names an address beyond ASCII/ })
  const plain = await sent(world, { to: 'José <bob@peer.test>', subject: 'año' })
  await ended(world, plain, 'delivered')
  await postfix.nextMail('bob')
  t.equal(await postfix.delivered(), 1, 'nothing was sent in another form')
})
