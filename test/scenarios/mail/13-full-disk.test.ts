/** The disk fills up while many write at once: each is told what became of its own, what was acknowledged stays, and with room all goes on. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { approvedAgent, type Agent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { deliver } from '../../support/peers/smtp.js'

const AT_ONCE = 16
/** A limit on the size of files plays the disk. */
const FULL_AT_KILOBYTES = 4_096

async function subjectsOf(agent: Agent): Promise<Set<string>> {
  const subjects = new Set<string>()
  for (let cursor = ''; ;) {
    const { status, body } = await agent.call('GET', `/v1/messages?limit=100${cursor}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    for (const { subject } of body.data) subjects.add(subject)
    if (!body.has_more) return subjects
    cursor = `&cursor=${body.next_cursor}`
  }
}

t.test('a disk that fills up under many writers', async (t) => {
  const settings = {
    ...{ 'server.min_free_bytes': '0', 'relay.outbound': 'off', 'limits.requests_per_minute': '100000' },
    ...{ 'smtp.messages_per_minute': '100000', 'smtp.messages_per_minute_per_network': '100000' },
    ...{ 'smtp.connections_per_minute': '100000', 'smtp.connections_per_minute_per_network': '100000' },
  }
  // For as long as this file is there.
  const full = join(t.testdir({ full: '' }), 'full')
  const limited = `if [ -e "$0" ]; then ulimit -f ${FULL_AT_KILOBYTES}; fi; exec "$@"`
  const daemon = await startDaemon(settings, { launcher: ['bash', '-c', limited, full] })
  t.teardown(() => daemon.remove())
  const agents = [await approvedAgent(daemon, 'ada.agent'), await approvedAgent(daemon, 'bob.agent')]
  const acknowledged = agents.map(() => new Set<string>())
  const refusals: string[] = []
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, writer) => {
      const [to, kept] = [agents[writer % 2], acknowledged[writer % 2]]
      if (!to || !kept) return
      for (let n = 0; n < 200; n++) {
        const subject = `letter ${writer} ${n}`
        try {
          await deliver(daemon.smtpPort, { to: [to.address], subject, text: 'words '.repeat(2_000) })
          kept.add(subject)
        } catch (error) {
          refusals.push(String(error))
          return
        }
      }
    }),
  )
  t.equal(refusals.length, AT_ONCE, 'all came to the end of the disk')
  t.ok(
    acknowledged.every(({ size }) => size > 10),
    'and some mail was taken before',
  )
  for (const refusal of refusals) t.match(refusal, /452 4\.3\.1/)
  const sent = await agents[0]?.call('POST', '/v1/send', {
    to: ['eve@example.net'],
    subject: 's',
    text: 'x'.repeat(50_000),
  })
  t.match(sent, { status: 503, body: { error: { code: 'unavailable' } } })
  for (const [i, agent] of agents.entries()) {
    const there = await subjectsOf(agent)
    t.same(there, acknowledged[i], 'what was acknowledged is there, and nothing else')
  }
  await daemon.end('SIGTERM')
  t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
  await rm(full)
  await daemon.start()
  for (const [i, agent] of agents.entries()) {
    await deliver(daemon.smtpPort, { to: [agent.address], subject: 'with room' })
    t.same(await subjectsOf(agent), new Set([...(acknowledged[i] ?? []), 'with room']))
  }
  await daemon.end('SIGTERM')
  t.match(await daemon.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
})
