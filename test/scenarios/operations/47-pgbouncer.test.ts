/** A daemon whose database is behind pgbouncer in transaction mode takes mail, wakes who waits for it, and sends; also after pgbouncer was started again. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { startDaemon, type Daemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { allPeers } from '../../support/peers/peers.js'
import { pgbouncerPeer, startPgbouncer } from '../../support/peers/pgbouncer.js'
import { postgresPeer, startPostgres } from '../../support/peers/postgres.js'
import { startS3Server } from '../../support/peers/s3-server.js'
import { deliver } from '../../support/peers/smtp.js'

const options = allPeers(await postgresPeer(), pgbouncerPeer())

t.test('mail goes in and out through pgbouncer', { ...options, timeout: 120_000 }, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const bouncer = await startPgbouncer(postgres.port)
  t.teardown(() => bouncer.stop())
  const peer = await startPeer()
  t.teardown(() => peer.close())
  const bucket = await startS3Server()
  t.teardown(() => bucket.stop())
  const credentials = join(t.testdir({}), 'credentials')
  writeFileSync(credentials, 'aws_access_key_id = AKIATEST\naws_secret_access_key = secret\n')
  const start = async (): Promise<Daemon> => {
    const daemon = await startDaemon({
      'store.url': bouncer.url('postgres'),
      'relay.smarthost': `127.0.0.1:${peer.port}`,
      'blobs.url': 's3://bucket/large',
      'blobs.endpoint': bucket.endpoint.origin,
      'blobs.path_style': 'true',
      'blobs.credentials_file': credentials,
    })
    t.teardown(() => daemon.remove())
    return daemon
  }
  const one = await start()
  const two = await start()
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
