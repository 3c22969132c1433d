/** Mail with a report in it: read when it is proven whose it is, and the operator's mail in every other case. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { DAY, ManualClock, SECOND } from '../../../src/lib/clock.js'
import { ServiceError } from '../../../src/lib/errors.js'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import type { Delivery } from '../../../src/mailbox/delivery/deliver.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { createMetrics } from '../../../src/observe/metrics.js'
import { withFollowUp } from '../../../src/mailbox/delivery/follow-up.js'
import { startReportReading } from '../../../src/reporting/received/report-reading.js'
import { readReportMail } from '../../../src/reporting/received/read.js'
import { createReports } from '../../../src/reporting/received/reports.js'
import { createStore } from '../../../src/store/store.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { dmarc, END, reportMail } from './forms.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { tasksIn } from '../../support/store/tasks.js'

const LIMITS = { maxHeaderBytes: 65536, maxParts: 100, maxDepth: 10 }
type Auth = NonNullable<Delivery['auth']>
const PROVEN: Auth = {
  spf: { result: 'none', domain: null },
  dkim: { result: 'pass', domain: 'google.com', selector: 's' },
  dmarc: { result: 'pass', domain: 'google.com', policy: 'reject' },
  arc: { result: 'none' },
}
const NO_POLICY: Auth = { ...PROVEN, dmarc: { result: 'none', domain: null, policy: null } }

function setUp(t: Test) {
  const store = createStore(memoryEngine())
  const clock = new ManualClock((END + 3600) * 1000)
  const queue = createWorkQueue({ store, clock })
  const { log } = captureLog()
  const metrics = createMetrics()
  const reports = createReports({
    store,
    clock,
    retentionMs: 90 * DAY,
    isLocalDomain: (name) => name === 'agents.test',
  })
  const stored = new Map<string, Delivery>()
  const usual: Delivery[] = []
  const passedOn: string[] = []
  const get = (id: string): Delivery => {
    const delivery = stored.get(id)
    if (!delivery) throw new ServiceError('not_found', 'no such message', 'look at the list')
    return delivery
  }
  const reading = startReportReading({
    queue,
    mailboxes: {
      reading: {
        message: async (_mailbox, id) => ({ id: get(id).messageId }) as Message,
        raw: async (_mailbox, id) => get(id).raw,
      },
    },
    operatorMailboxId: 'mbx_operator',
    forwarding: {
      passOn: async (id) => void passedOn.push(id),
    },
    reports,
    read: (raw, parts) => readReportMail(raw, parts, LIMITS),
    clock,
    log,
    metrics,
  })
  t.teardown(async () => {
    await reading.stop()
    await store.close()
  })
  async function deliver(raw: Buffer, change: Partial<Delivery> = {}): Promise<void> {
    const coming: Delivery = {
      mailboxId: 'mbx_operator',
      raw,
      parsed: await parseMessage(raw, LIMITS),
      auth: PROVEN,
      virus: 'clean',
      spam: { score: 0, verdict: 'ham', reasons: [] },
      labels: [],
      envelopeFrom: 'noreply@google.com',
      recipients: ['dmarc-reports@agents.test'],
      ...change,
    }
    const delivery = withFollowUp(coming, reading.followUp)
    if (delivery === coming) usual.push(coming)
    if (delivery.messageId !== undefined) stored.set(delivery.messageId, delivery)
    await store.write('mailbox/mbx_operator', (tx) => delivery.also?.(tx))
    clock.advance(SECOND)
    queue.poke()
    while ((await tasksIn(queue, 'report', 10)).length > 0) await nextTurn()
  }
  const counted = async (): Promise<string[]> =>
    (await metrics.render()).body.split('\n').filter((line) => /^restante_received_reports_/.test(line))
  return { reports, stored, usual, passedOn, deliver, counted, reading, store, queue, clock }
}

t.test('a report that is read is spared the operator, and stays in the mailbox', async (t) => {
  const { deliver, passedOn, reports, stored, usual, counted } = setUp(t)
  await deliver(reportMail(gzipSync(dmarc())))
  t.match(await reports.list({ limit: 10 }), {
    data: [{ domain: 'agents.test', reporter: 'google.com', proven_by: 'dmarc' }],
  })
  await deliver(reportMail(gzipSync(dmarc())))
  await deliver(reportMail(gzipSync(dmarc({ id: 'other' }))), {
    auth: NO_POLICY,
    recipients: ['postmaster@agents.test'],
  })
  t.match((await reports.list({ limit: 10 })).data.map((one) => one.proven_by).sort(), ['dkim', 'dmarc'])
  t.equal(stored.size, 3)
  t.same([usual, passedOn], [[], []], 'nor is the second copy passed on')
  t.same(await counted(), [
    'restante_received_reports_total{kind="dmarc"} 2',
    'restante_received_reports_refused_total{reason="duplicate"} 1',
  ])
})

t.test('what nobody vouches for is mail like any other', async (t) => {
  const { deliver, passedOn, reports, usual, stored } = setUp(t)
  const raw = reportMail(gzipSync(dmarc()))
  await deliver(raw, { auth: { ...NO_POLICY, dkim: { result: 'pass', domain: 'evil.test', selector: 's' } } })
  await deliver(raw, { auth: { ...NO_POLICY, dkim: { result: 'fail', domain: 'google.com', selector: 's' } } })
  await deliver(raw, { auth: { ...PROVEN, dmarc: { result: 'fail', domain: 'google.com', policy: 'none' } } })
  await deliver(raw, { auth: null })
  await deliver(raw, { labels: ['spam'] })
  await deliver(raw, { mailboxId: 'mbx_other' })
  await deliver(Buffer.from('From: <a@google.com>\r\nSubject: Report domain: mine\r\n\r\nHello\r\n'))
  t.equal(usual.length, 7)
  t.same([stored.size, passedOn, (await reports.list({ limit: 10 })).data], [0, [], []])
})

t.test('what cannot be read, or is about others, is passed on after all', async (t) => {
  const { deliver, passedOn, reports, counted, stored } = setUp(t)
  await deliver(reportMail(gzipSync(dmarc()).subarray(0, 50)))
  await deliver(reportMail(gzipSync(dmarc({ domain: 'other.test' }))))
  await deliver(reportMail(gzipSync(Buffer.alloc(40 * 1024 * 1024))))
  t.same(passedOn, [...stored.keys()])
  t.same((await reports.list({ limit: 10 })).data, [])
  t.same(await counted(), [
    'restante_received_reports_refused_total{reason="broken"} 1',
    'restante_received_reports_refused_total{reason="not_ours"} 1',
    'restante_received_reports_refused_total{reason="too_large"} 1',
  ])
})

t.test('a report whose mail was deleted before it was read is forgotten', async (t) => {
  const { reading, queue, clock, store } = setUp(t)
  const raw = reportMail(gzipSync(dmarc()))
  const delivery = {
    mailboxId: 'mbx_operator',
    raw,
    parsed: await parseMessage(raw, LIMITS),
    auth: PROVEN,
    recipients: [],
  }
  const taken = reading.followUp({
    ...delivery,
    labels: [],
    envelopeFrom: '',
    virus: 'clean',
    spam: { score: 0, verdict: 'ham', reasons: [] },
  })
  await store.write('mailbox/mbx_operator', (tx) => taken?.queue(tx))
  for (let i = 0; i < 30; i++) {
    clock.advance(3 * SECOND)
    queue.poke()
    await nextTurn()
    while ((await tasksIn(queue, 'report', 10)).some(({ due, leased }) => leased || due <= clock.now()))
      await nextTurn()
  }
  t.same(await tasksIn(queue, 'report', 10), [])
})
