/** A daemon whose database is behind pgbouncer in transaction mode takes mail, wakes who waits for it, and sends; also after pgbouncer was started again. */
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { allPeers } from '../../support/peers/peers.js'
import { pgbouncerPeer, startPgbouncer } from '../../support/peers/pgbouncer.js'
import { postgresPeer, startPostgres } from '../../support/peers/postgres.js'
import { deliver } from '../../support/peers/smtp.js'

const options = allPeers(await postgresPeer(), pgbouncerPeer())

t.test('mail goes in and out through pgbouncer', { ...options, timeout: 120_000 }, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const bouncer = await startPgbouncer(postgres.port)
  t.teardown(() => bouncer.stop())
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const settings = { 'store.url': bouncer.url('postgres'), 'relay.smarthost': `127.0.0.1:${peer.port}` }
  const daemons = [await startDaemon(settings), await startDaemon(settings)] as const
  for (const daemon of daemons) t.teardown(() => daemon.remove())
  const [one, two] = daemons
  const agent = await approvedAgent(one, 'ada.agent')

  async function exchange(subject: string): Promise<void> {
    const start = (await agent.call('GET', '/v1/events')).body.data.at(-1).seq
    const waiting = waitForEvent(agent, ({ type }) => type === 'message.received', start)
    // Committed by the other daemon, which can tell the first nothing.
    t.match(await deliver(two.smtpPort, { to: [agent.address], subject, text: 'Noon?' }), /^250 2\.0\.0/)
    const event = await waiting
    const count = peer.mail.length
    const accepted = await agent.call('POST', `/v1/messages/${event.data.message_id}/reply`, { text: 'Noon is fine.' })
    t.equal(accepted.status, 202)
    await peer.count(count + 1)
    t.match(peer.mail.at(-1)?.raw, `Subject: Re: ${subject}`)
  }

  await exchange('Before')
  await bouncer.kill()
  await bouncer.start()
  await exchange('After')
})
