/** What was acknowledged survives kill -9: mail that was accepted for delivery, and mail that came in. */
import t, { type Test } from 'tap'
import { connect, createServer } from 'node:net'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { listenAnywhere } from '../../support/ports.js'
import { deliver } from '../../support/peers/smtp.js'

/** Stands in front of a server and passes nothing on before it is opened: who connects early waits without a greeting. */
async function startGate(t: Test, port: number): Promise<{ port: number; open(): void; reached: Promise<void> }> {
  let isOpen = false
  let reach: () => void
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    reach()
    if (isOpen) socket.pipe(connect(port, '127.0.0.1')).pipe(socket)
  })
  t.teardown(() => server.close())
  return { port: await listenAnywhere(server), open: () => (isOpen = true), reached }
}

t.test('the daemon is killed between accept and delivery: after the restart it is delivered, once', async (t) => {
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const gate = await startGate(t, peer.port)
  const daemon = await startDaemon({ 'relay.smarthost': `127.0.0.1:${gate.port}` })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'crash.agent')
  const sends = Array.from({ length: 10 }, (_, i) =>
    agent.call('POST', '/v1/send', { to: `bob${i}@example.org`, subject: `no. ${i}`, text: 'hello' }),
  )
  const answers = await Promise.all(sends)
  t.same(new Set(answers.map((a) => a.status)), new Set([202]))
  await gate.reached
  await daemon.end('SIGKILL')
  t.equal(peer.mail.length, 0, 'the delivery had begun, and nothing had got through')

  gate.open()
  await daemon.start()
  for (const answer of answers) {
    await waitForEvent(agent, (e) => e.data.message_id === answer.body.id && e.data.status === 'delivered')
  }
  const subjects = peer.mail.map((mail) => /^Subject: (.*)$/m.exec(mail.raw)?.[1]?.trim())
  t.same(
    subjects.toSorted(),
    Array.from({ length: 10 }, (_, i) => `no. ${i}`),
    'each once',
  )
})

t.test(
  'a message that the next server was down for still has its next attempt after kill -9 and restart',
  async (t) => {
    const daemon = await startDaemon({ 'relay.smarthost': '127.0.0.1:9' })
    t.teardown(() => daemon.remove())
    const agent = await approvedAgent(daemon, 'crash.agent')
    const answer = await agent.call('POST', '/v1/send', { to: 'bob@example.org', subject: 'once', text: 'hello' })
    await waitForEvent(
      agent,
      (e) => e.data.message_id === answer.body.id && e.data.recipients?.[0]?.status === 'deferred',
    )
    await daemon.end('SIGKILL')
    await daemon.start()
    const message = (await agent.call('GET', `/v1/messages/${answer.body.id}`)).body
    t.match(message.recipients, [{ address: 'bob@example.org', status: 'deferred' }])
    // Killed before its task knew of the first attempt, it is tried again at once.
    t.ok([1, 2].includes(message.recipients[0].attempts), 'tried once, or once more')
    t.ok(Date.parse(message.recipients[0].next_attempt_at) > Date.parse(message.created_at))
  },
)

t.test('every message that got 250 is there after kill -9 in the middle of deliveries', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'crash.agent')
  const accepted: string[] = []
  let killed = false
  const senders = Array.from({ length: 8 }, async (_, sender) => {
    for (let i = 0; !killed; i++) {
      const subject = `mail ${sender}-${i}`
      try {
        await deliver(daemon.smtpPort, { to: [agent.address], subject, text: 'x'.repeat(2000) })
        accepted.push(subject)
      } catch (error) {
        t.ok(killed, `refused while alive: ${String(error)}`)
      }
      if (accepted.length >= 60 && !killed) {
        killed = true
        await daemon.end('SIGKILL')
      }
    }
  })
  await Promise.all(senders)
  await daemon.start()
  const subjects = new Set<string>()
  let after = 0
  for (;;) {
    const page = (await agent.call('GET', `/v1/events?after=${after}&limit=100`)).body
    for (const event of page.data) if (event.type === 'message.received') subjects.add(event.data.subject)
    if (page.data.length === 0) break
    after = page.data.at(-1).seq
  }
  t.ok(accepted.length >= 60)
  t.same(
    accepted.filter((subject) => !subjects.has(subject)),
    [],
  )
})
