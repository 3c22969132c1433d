/** A real clamd: a virus is refused and nothing of it kept; when clamd is gone, mail is deferred and not let through. */
import t from 'tap'
import { approvedAgent } from '../../support/agent.js'
import { EICAR, startClamd } from '../../support/peers/clamd.js'
import { startDaemon } from '../../support/daemon.js'
import { peer } from '../../support/peers/peers.js'
import { deliver } from '../../support/peers/smtp.js'

t.test(
  'EICAR is refused with 550 5.7.1, clean mail is marked clean, and an unreachable clamd defers',
  peer('clamav-daemon', '/usr/sbin/clamd'),
  async (t) => {
    const clamd = await startClamd()
    let running = true
    t.teardown(() => (running ? clamd.stop() : undefined))
    const daemon = await startDaemon({ 'scan.clamav': clamd.socket })
    t.teardown(() => daemon.remove())
    const agent = await approvedAgent(daemon, 'scan.agent')

    const infected = { to: [agent.address], attachments: [{ filename: 'eicar.com', content: EICAR }] }
    await t.rejects(deliver(daemon.smtpPort, infected), /550 5\.7\.1/)
    t.same((await agent.call('GET', '/v1/threads')).body.data, [])

    t.match(await deliver(daemon.smtpPort, { to: [agent.address], subject: 'clean' }), /^250/)
    const thread = (await agent.call('GET', '/v1/threads')).body.data[0]
    const message = (await agent.call('GET', `/v1/messages/${thread.last_message_id}`)).body
    t.equal(message.scan.virus, 'clean')

    await clamd.stop()
    running = false
    await t.rejects(deliver(daemon.smtpPort, { to: [agent.address] }), /451 4\.7\.1/)
  },
)
