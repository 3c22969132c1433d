/** A daemon that is told to stop while a server it delivers to does not answer: it ends in time, and the message is delivered by its next life. */
import t from 'tap'
import { approvedAgent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { startPeer } from '../../support/peers/peer-server.js'

const DOMAINS = ['tar1.example', 'tar2.example']

t.test('SIGTERM while deliveries are stuck in a tarpit ends the daemon cleanly, and no mail is lost', async (t) => {
  let isTarpit = true
  let stuck: () => void = () => undefined
  const allStuck = new Promise<void>((resolve) => (stuck = resolve))
  let count = 0
  const peer = await startPeer({
    async hold() {
      if (!isTarpit) return
      if (++count === DOMAINS.length) stuck()
      await new Promise(() => undefined)
    },
  })
  const dns = await startDnsServer({
    ...Object.fromEntries(DOMAINS.map((domain) => [domain, { MX: [{ priority: 10, exchange: 'mx.tar.example' }] }])),
    'mx.tar.example': { A: ['127.0.0.1'] },
  })
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'server.shutdown_seconds': '5',
    'relay.port': String(peer.port),
    'relay.allow_private_addresses': 'true',
  })
  t.teardown(async () => {
    await daemon.remove()
    await peer.close()
    await dns.close()
  })
  const agent = await approvedAgent(daemon, 'ada.agent')
  const to = DOMAINS.map((domain) => `bob@${domain}`)
  const sent = await agent.call('POST', '/v1/send', { to, subject: 'Tar', text: 'Slowly.' })
  t.equal(sent.status, 202)
  await allStuck
  // Somebody who waits for news is no reason to stay either.
  const waiting = agent.call('GET', '/v1/events?types=claim.declined&wait=25').catch(() => undefined)

  t.equal(await daemon.end('SIGTERM'), 0)
  await waiting
  t.match(daemon.output(), '"msg":"stopped"')
  t.notMatch(daemon.output(), 'ended while something was still at work')

  isTarpit = false
  await daemon.start()
  await peer.count(DOMAINS.length)
  t.same(peer.mail.flatMap((mail) => mail.to).sort(), to)
})
