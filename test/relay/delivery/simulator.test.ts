/** The simulator in the relay: no DNS, no network, and outcomes that survive a crash. */
import t from 'tap'
import { MINUTE, SECOND } from '../../../src/lib/clock.js'
import { isSimulatorAddress, simulatedBy, simulatedDecision } from '../../../src/mailbox/decisions/simulator.js'
import type { RecipientReport } from '../../../src/mailbox/delivery/bounce-proof.js'
import { startSimulator } from '../../../src/relay/delivery/simulator.js'
import { captureLog } from '../../support/log.js'
import { startWorld } from '../world.js'
import { tasksIn } from '../../support/store/tasks.js'

const isLocalDomain = (domain: string): boolean => domain === 'agents.test'
const at = (name: string): string => `${name}@simulator.agents.test`

t.test('only the simulator of a local domain is one, by any tag and case', (t) => {
  t.ok(isSimulatorAddress(at('x'), isLocalDomain))
  t.ok(isSimulatorAddress('bounce@Simulator.Agents.Test', isLocalDomain))
  for (const other of ['bounce@simulator.peer.test', 'bounce@agents.test', 'bounce@a.simulator.agents.test'])
    t.notOk(isSimulatorAddress(other, isLocalDomain), other)
  t.notOk(
    isSimulatorAddress(at('x'), (domain) => domain.endsWith('agents.test')),
    'a local domain of that name',
  )
  t.equal(simulatedBy(at('BOUNCE+run-7')), 'bounce')
  t.equal(simulatedBy(at('constructor')), undefined)
  t.equal(simulatedBy(at('+bounce')), undefined)
  t.match(simulatedDecision([at('hold'), at('block')], isLocalDomain), {
    decision: 'block',
    reason: { code: 'simulator' },
  })
  t.equal(simulatedDecision(['hold@peer.test', at('bounce')], isLocalDomain), undefined)
  t.end()
})

t.test('what comes back later is queued in the commit of the delivery, and not before', async (t) => {
  const world = await startWorld(1, { outbound: false })
  t.teardown(() => world.close())
  const { queue, clock } = world
  const mailboxes = { outbound: { envelope: async () => undefined, recordReport: async () => undefined } }
  const simulator = startSimulator({ queue, isLocalDomain, clock, log: captureLog().log, mailboxes })
  t.teardown(() => simulator.stop())
  await world.restart({ outbound: false, simulator })
  let tries = 0
  world.onRecord = async () => {
    if (++tries === 1) throw new Error('the disk is full')
  }
  await world.send('msg_1', [at('complaint')])
  while (tries === 0) await new Promise((resolve) => setImmediate(resolve))
  t.same(await tasksIn(queue, 'simulator'), [])
  await world.calm()
  world.advance(MINUTE)
  t.match(await world.settled('msg_1', at('complaint')), { status: 'delivered' })
  t.match(await tasksIn(queue, 'simulator'), [{ id: `msg_1:${at('complaint')}` }])
})

t.test('each address has its outcome, also where nothing may leave the server', async (t) => {
  const reports: RecipientReport[] = []
  const world = await startWorld(1, { outbound: false })
  t.teardown(() => world.close())
  const { log } = captureLog()
  const simulator = startSimulator({
    queue: world.queue,
    isLocalDomain,
    clock: world.clock,
    log,
    mailboxes: {
      outbound: {
        async envelope(_mailboxId, messageId) {
          const recipients = ['complaint', 'late-bounce'].map((name) => world.recipient(messageId, at(name)))
          const rest = { firstEvent: 1, createdAt: 0, sentAt: 0, sizeBytes: 1 }
          return { messageId, mailboxId: '', from: '', status: 'sent', recipients, ...rest }
        },
        async recordReport(_mailboxId, _messageId, [report]) {
          if (report) reports.push(report)
          return undefined
        },
      },
    },
  })
  t.teardown(() => simulator.stop())
  await world.restart({ outbound: false, simulator })
  const names = ['delivered', 'bounce+1', 'defer', 'defer-forever', 'complaint', 'late-bounce', 'nosuch']
  await world.send('msg_1', names.map(at))
  await world.settled('msg_1', at('nosuch'))
  const statuses = (): string[] => names.map((name) => world.recipient('msg_1', at(name)).status)
  t.same(statuses(), ['delivered', 'bounced', 'deferred', 'deferred', 'delivered', 'delivered', 'bounced'])
  t.match(world.recipient('msg_1', at('bounce+1')), { smtp_code: 550, detail: /^5\.1\.1/ })
  t.match(world.recipient('msg_1', at('nosuch')).detail, /it has delivered, bounce, defer, /)

  t.same((await tasksIn(world.queue, 'simulator', 10)).map(({ id }) => id).sort(), [
    `msg_1:${at('complaint')}`,
    `msg_1:${at('late-bounce')}`,
  ])
  world.advance(2 * SECOND)
  while (reports.length < 2) await new Promise((resolve) => setImmediate(resolve))
  t.same(reports.map(({ kind }) => kind).sort(), ['bounced', 'complained'])

  world.advance(MINUTE)
  t.match(await world.settled('msg_1', at('defer'), 2), { status: 'delivered', attempts: 2 })
  t.match(await world.settled('msg_1', at('defer-forever'), 2), { status: 'deferred', attempts: 2 })
})
