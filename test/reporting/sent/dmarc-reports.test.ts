/** Sending reports on DMARC: to whom, how large, and what becomes of them while DNS is silent. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { courierOf, unscannedLocal } from '../../support/relay.js'
import { DAY, HOUR, ManualClock, MINUTE } from '../../../src/lib/clock.js'
import type { Message } from '../../../src/mailbox/objects/objects.js'
import type { Delivery } from '../../../src/mailbox/delivery/deliver.js'
import { createDmarcCounts } from '../../../src/reporting/sent/dmarc-counts.js'
import { startDmarcReports } from '../../../src/reporting/sent/dmarc-reports.js'
import { createStore } from '../../../src/store/store.js'
import { createWorkQueue } from '../../../src/queue/queue.js'
import { textResolver } from '../../support/peers/fake-resolver.js'
import { captureLog } from '../../support/log.js'
import { mailboxRecord } from '../../support/store/mailbox-record.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { tasksIn } from '../../support/store/tasks.js'

const TODAY = '2026-11-20'

/** Who gets reports is on this server, so that they need no network. */
async function setUp(t: Test, records: Record<string, string>) {
  const store = createStore(memoryEngine())
  const clock = new ManualClock(Date.parse(`${TODAY}T12:00:00Z`))
  const queue = createWorkQueue({ store, clock })
  const { log, lines } = captureLog()
  const counts = createDmarcCounts({ store, clock, isLocalDomain: () => false, log })
  const delivered: Delivery[] = []
  const local = unscannedLocal({
    mailboxes: {
      directory: {
        resolve: async () => mailboxRecord({}),
      },
      delivery: {
        deliver: async (delivery) => {
          delivered.push(delivery)
          return {} as Message
        },
      },
    },
    isLocalDomain: () => true,
    hostname: 'mx.agents.test',
    clock,
    log,
  })
  const reports = startDmarcReports({
    queue,
    courier: courierOf({
      queue,
      local,
      resolver: textResolver(records),
      hostname: 'mx.agents.test',
      port: 25,
      allowPrivateAddresses: false,
      timeouts: { connectMs: 1000, responseMs: 1000 },
      log,
    }),
    counts,
    resolver: textResolver(records),
    signer: { sign: async (raw) => raw },
    primaryDomain: 'agents.test',
    random: () => 0.5,
    clock,
    log,
  })
  t.teardown(async () => {
    await reports.stop()
    await counts.stop()
    await store.close()
  })
  counts.record({
    policyDomain: 'peer.test',
    record: 'v=DMARC1; p=none; rua=mailto:r@peer.test',
    ip: '192.0.2.7',
    headerFrom: 'peer.test',
    envelopeFrom: 'peer.test',
    disposition: 'none',
    override: false,
    dkimAligned: false,
    spfAligned: true,
    spf: { domain: 'peer.test', result: 'pass', scope: 'mfrom' },
    dkim: [],
  })
  const passes = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await reports.queueEnded(new AbortController().signal)
    queue.poke()
    while ((await tasksIn(queue, 'dmarc-report', 10)).some(({ leased, due }) => leased || due <= clock.now()))
      await nextTurn()
  }
  return { clock, counts, delivered, lines, passes, queue }
}

t.test('a report goes to whom the record of that day names, and is told once', async (t) => {
  const { counts, delivered, passes } = await setUp(t, {
    '_dmarc.peer.test': 'v=DMARC1; p=none; rua=mailto:r@peer.test!10m',
  })
  await passes(HOUR)
  t.equal(delivered.length, 0, 'the day has not ended')
  await passes(DAY)
  t.match(delivered, [
    { envelopeFrom: '', recipients: ['r@peer.test'], parsed: { from: { address: 'postmaster@agents.test' } } },
  ])
  t.match(delivered[0]?.parsed.attachments, [
    { contentType: 'application/gzip', filename: /^agents\.test!peer\.test!\d+!\d+\.xml\.gz$/ },
  ])
  t.equal(await counts.counts(TODAY, 'peer.test'), undefined)
  await passes(HOUR)
  t.equal(delivered.length, 1)
})

t.test('none is sent that is larger than wanted, to who does not want it, or by another way than mail', async (t) => {
  const records = [
    'v=DMARC1; p=none; rua=mailto:r@peer.test!1k',
    'v=DMARC1; p=none; rua=mailto:r@victim.example',
    'v=DMARC1; p=none; rua=https://peer.test/r',
    'v=DMARC1; p=none',
  ]
  for (const record of records) {
    const { counts, delivered, passes } = await setUp(t, { '_dmarc.peer.test': record })
    await passes(DAY)
    t.equal(delivered.length, 0, record)
    t.equal(await counts.counts(TODAY, 'peer.test'), undefined, 'and nothing is kept of it')
  }
})

t.test('while DNS is silent the report waits', async (t) => {
  const records = {
    '_dmarc.peer.test': 'v=DMARC1; rua=mailto:r@other.example',
    'peer.test._report._dmarc.other.example': 'temporary',
  }
  const { clock, delivered, passes, queue } = await setUp(t, records)
  await passes(DAY)
  t.equal(delivered.length, 0)
  t.match(await tasksIn(queue, 'dmarc-report', 10), [{ due: clock.now() + MINUTE }])
  records['peer.test._report._dmarc.other.example'] = 'v=DMARC1'
  await passes(MINUTE)
  t.match(delivered, [{ recipients: ['r@other.example'] }])
})
