/** Front processes: real ones, over an intake whose mailboxes are plain objects of the test. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import builtIn from 'smtp-server/lib/tls-options'
import t, { type Test } from 'tap'
import { FRONT_PROCESS } from '../../../src/daemon/front/entry.js'
import { startFronts } from '../../../src/mx/fronts/fronts.js'
import type { FrontSettings } from '../../../src/mx/fronts/settings.js'
import { NO_RATES } from '../../../src/mx/intake/client-limits.js'
import type { IntakeDeps } from '../../../src/mx/intake/types.js'
import { NO_SESSION_LIMITS } from '../../../src/smtp/server/session-limits.js'
import { createMetrics } from '../../../src/observe/metrics.js'
import { DEFAULT_LINES } from '../../../src/guard/verdict/spam.js'
import { systemClock } from '../../../src/lib/clock.js'
import type { Receipt } from '../../../src/receipts/types.js'
import { captureLog } from '../../support/log.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { openDialog, type Dialog } from '../../support/peers/smtp-dialog.js'
import { freePort } from '../../support/ports.js'
import { createWorld, greeted, intakesOver, MESSAGE, send } from '../receiver.js'

const LIMITS = {
  maxMessageBytes: 10_000_000,
  maxHeaderBytes: 8192,
  maxRecipients: 100,
  maxConnections: 20,
  maxConnectionsPerAddress: 10,
  maxConnectionsPerNetwork: 20,
  maxReceived: 50,
}
const { key, cert } = builtIn()
const certificate = { key: String(key), cert: String(cert) }

interface Change {
  count?: number
  limits?: Partial<typeof LIMITS>
  rates?: IntakeDeps['rates']
  settings?: Partial<FrontSettings>
  silentMs?: number
  certificate?: typeof certificate
}

async function setting(t: Test, change: Change = {}) {
  const dns = await startDnsServer({})
  t.teardown(() => dns.close())
  const port = await freePort()
  const { log, lines } = captureLog()
  const metrics = createMetrics()
  const world = createWorld(lines)
  const limits = { ...LIMITS, ...change.limits }
  const receipts: Receipt[] = []
  const intakes = intakesOver(world, log, {
    names: { hostname: 'mx.test', primaryDomain: 'agents.test', isLocalDomain: (domain) => domain === 'agents.test' },
    limits,
    rates: change.rates ?? NO_RATES,
    records: {
      receipts: {
        add: (receipt) => void receipts.push(receipt),
        addWithin: (_tx, receipt) => void receipts.push(receipt),
      },
    },
    // The fronts have the clock of the machine.
    clock: systemClock,
    metrics,
  })
  const fronts = await startFronts({
    count: change.count ?? 1,
    entry: FRONT_PROCESS,
    settings: {
      listen: [{ host: '127.0.0.1', port }],
      hostname: 'mx.test',
      limits,
      sessionLimits: NO_SESSION_LIMITS,
      dns: { servers: [dns.address], validates: 'off' },
      dnsbl: { zones: [], action: 'reject' },
      parseLimits: { maxHeaderBytes: 8192, maxParts: 100, maxDepth: 10 },
      spamLines: DEFAULT_LINES,
      scan: {
        clamav: '',
        timeoutMs: 1000,
        maxBytes: limits.maxMessageBytes,
        concurrency: 1,
        maxWaiting: 1,
        rspamd: '',
        rspamdTimeoutMs: 1000,
      },
      limitsMail: true,
      dsn: false,
      logLevel: 'info',
      ...change.settings,
    },
    certificate: change.certificate,
    intakes,
    log,
    metrics,
    ...(change.silentMs !== undefined && { silentMs: change.silentMs }),
  })
  t.teardown(() => fronts.close(100))
  return { world, fronts, port, metrics, receipts, log: lines }
}

/** Waits for what another process does. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** A new session; a front that has just died may still refuse connections. */
async function again(port: number): Promise<Dialog> {
  for (;;) {
    try {
      return await greeted(port)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

t.test('a message goes from its front to the mailbox, with its receipt, its log lines and its counts', async (t) => {
  const { world, port, receipts, metrics, log } = await setting(t)
  const dialog = await greeted(port)
  t.match(await dialog.say('MAIL FROM:<carol@peer.test>'), /^250/)
  t.match(await dialog.say('RCPT TO:<nobody@agents.test>'), /^550 5\.1\.1/)
  t.match(await dialog.say('RCPT TO:<alice@elsewhere.test>'), /^550 5\.7\.1 relaying denied/)
  t.match(await dialog.say('RCPT TO:<alice@agents.test>'), /^250/)
  t.match(await dialog.say('DATA'), /^354/)
  dialog.write(MESSAGE)
  const id = /^250 2\.0\.0 accepted as (rcp_\w+)$/.exec(await dialog.say('.'))?.[1]
  const [delivery] = world.delivered
  t.match(delivery, { mailboxId: 'mbx_alice', envelopeFrom: 'carol@peer.test', parsed: { subject: 'hello' } })
  t.match(delivery?.raw.toString(), new RegExp(`^Return-Path: <carol@peer\\.test>\\r\\n[^]* id ${id ?? ''}\\r\\n`))
  t.ok(delivery?.raw.toString().endsWith(MESSAGE))
  t.match(receipts, [{ id, outcome: 'accepted', size_bytes: MESSAGE.length, recipients: { length: 3 } }])
  await until(() => log.some((line) => line['receipt_id'] === id))
  t.match(
    log.find((line) => line['receipt_id'] === id),
    { part: 'mx', level: 'info', reply: '250 2.0.0' },
  )
  await until(async () => (await metrics.read('mx_messages_total')).length > 0)
  const { body } = await metrics.render()
  t.match(body, /restante_mx_messages_total\{reply="250 2\.0\.0"\} 1/)
  t.match(body, /restante_mx_recipients_refused_total\{reason="no_such_mailbox"\} 1/)
  t.match(body, /restante_mx_message_seconds_count 1/)
  t.match(body, /restante_mx_connections 1/)
  t.equal(await dialog.say('QUIT'), '221 2.0.0 Bye')
  await until(async () => /restante_mx_connections 0/.test((await metrics.render()).body))
})

t.test('a large message arrives octet by octet', async (t) => {
  const { world, port } = await setting(t)
  const line = `${'0123456789abcdef'.repeat(4)}\r\n`
  const message = `${MESSAGE}${line.repeat(60_000)}`
  t.match(await send(await greeted(port), message), /^250/)
  const raw = world.delivered[0]?.raw.toString() ?? ''
  t.ok(raw.endsWith(message) && raw.startsWith('Return-Path: '))
})

t.test('limits of a client hold across fronts', async (t) => {
  const { fronts, port } = await setting(t, {
    count: 2,
    limits: { maxConnectionsPerAddress: 4 },
    rates: { ...NO_RATES, badRecipientsPerHour: { address: 3, network: 0 } },
  })
  const [first = 0, second = 0] = fronts.pids
  t.equal(fronts.pids.length, 2)
  const twoAt = async (busy: number): Promise<Dialog[]> => {
    process.kill(busy, 'SIGSTOP')
    try {
      return [await greeted(port), await greeted(port)]
    } finally {
      process.kill(busy, 'SIGCONT')
    }
  }
  const [atSecond] = await twoAt(first)
  const [atFirst] = await twoAt(second)
  t.match(await (await openDialog(port)).reply(), /^421 4\.7\.0 .*your address/)
  for (const dialog of [atFirst, atSecond]) await dialog?.say('MAIL FROM:<carol@peer.test>')
  for (let i = 0; i < 2; i++) t.match(await atFirst?.say(`RCPT TO:<guess${i}@agents.test>`), /^550/)
  t.match(await atSecond?.say('RCPT TO:<guess2@agents.test>'), /^550/)
  t.match(await atSecond?.say('RCPT TO:<alice@agents.test>'), /^421 .*in an hour/, 'three between them')
})

t.test(
  'when all places are taken by one network, one of its connections yields, in whichever front it is',
  async (t) => {
    const { port } = await setting(t, { count: 2, limits: { maxConnections: 4 } })
    const crowd = []
    for (let i = 0; i < 4; i++) crowd.push(await greeted(port))
    const oldest = Promise.race(crowd.map((dialog) => dialog.reply()))
    t.match(await send(await greeted(port, '127.0.9.1')), /^250/)
    t.match(await oldest, /^421 4\.7\.0 .*be quicker/)
  },
)

t.test('a front that dies costs its sessions; what was acknowledged stays, and another takes its place', async (t) => {
  const { world, fronts, port, log, metrics } = await setting(t, { limits: { maxConnectionsPerAddress: 2 } })
  const idle = await greeted(port)
  const busy = await greeted(port)
  t.match(await send(busy), /^250/)
  const [pid = 0] = fronts.pids
  process.kill(pid, 'SIGKILL')
  await Promise.all([idle.closed, busy.closed])
  t.equal(world.delivered.length, 1)
  const next = await again(port)
  t.match(await send(next), /^250/, 'their places are free again')
  t.not(fronts.pids[0], pid)
  t.match(
    log.find((line) => line['level'] === 'error'),
    { msg: 'a front process ended and is replaced', signal: 'SIGKILL' },
  )
  t.match((await metrics.render()).body, /restante_mx_connections 1/)
})

t.test('a message whose front dies before the reply is not delivered again when its sender repeats it', async (t) => {
  const { world, fronts, port, log } = await setting(t)
  let store: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    world.deliver = () =>
      new Promise((done) => {
        store = done
        resolve()
      })
  })
  const lost = send(await greeted(port))
  await asked
  process.kill(fronts.pids[0] ?? 0, 'SIGKILL')
  await t.rejects(lost, /connection ended/)
  await until(() => log.some((line) => line['msg'] === 'a front process ended and is replaced'))
  store()
  await until(() => world.delivered.length === 1)
  world.deliver = async () => undefined
  t.match(await send(await again(port)), /^250/)
  t.equal(world.delivered.length, 1, 'the mailbox has it')
})

t.test('a front that hangs is replaced', async (t) => {
  const { fronts, port, log } = await setting(t, { silentMs: 1500 })
  const [pid = 0] = fronts.pids
  process.kill(pid, 'SIGSTOP')
  await until(() => log.some((line) => line['msg'] === 'a front process does not answer and is replaced'))
  // Another that is slow to answer would be replaced as well.
  const taken = async (): Promise<boolean> => (await send(await again(port))).startsWith('250')
  await until(() => taken().catch(() => false))
  t.notOk(fronts.pids.includes(pid))
})

t.test('STARTTLS is offered with the certificate of the moment', async (t) => {
  const { fronts, port } = await setting(t, { certificate })
  t.match(await (await openDialog(port)).reply(), /^220/)
  const ehlo = async (): Promise<string> => {
    const dialog = await openDialog(port)
    await dialog.reply()
    return dialog.say('EHLO client.peer.test')
  }
  t.match(await ehlo(), /STARTTLS/)
  fronts.setCertificate(undefined)
  t.notMatch(await ehlo(), /STARTTLS/)
  fronts.setCertificate(certificate)
  t.match(await ehlo(), /STARTTLS/)
})

t.test('the level of the log reaches the fronts', async (t) => {
  const { fronts, port, log } = await setting(t)
  const idOf = (reply: string): string | undefined => /accepted as (rcp_\w+)/.exec(reply)?.[1]
  fronts.setLevel('silent')
  t.ok(idOf(await send(await greeted(port))))
  fronts.setLevel('info')
  const logged = idOf(await send(await greeted(port)))
  await until(() => log.some((line) => line['receipt_id'] === logged))
  t.same(
    log.flatMap((line) => line['receipt_id'] ?? []),
    [logged],
    'lines come in order, so none of the first is on its way',
  )
})

t.test('closing lets a message in progress get its reply, and ends the processes', async (t) => {
  const { world, fronts, port } = await setting(t, { count: 2 })
  const [pid = 0] = fronts.pids
  let store: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    world.deliver = () =>
      new Promise((done) => {
        store = done
        resolve()
      })
  })
  const dialog = await greeted(port)
  const reply = send(dialog)
  await asked
  const closed = fronts.close(5000)
  store()
  t.match(await reply, /^250/)
  await Promise.all([closed, dialog.closed])
  t.strictSame(fronts.pids, [])
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

t.test('an address that is taken is an error of the start, and leaves no process', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await t.rejects(setting(t, { settings: { listen: [{ host: '127.0.0.1', port }] } }), { code: 'EADDRINUSE' })
})

t.test('settings and secrets in the environment do not reach a front', async (t) => {
  process.env['RESTANTE_TEST_SECRET'] = 'hush'
  t.teardown(() => delete process.env['RESTANTE_TEST_SECRET'])
  const { fronts } = await setting(t)
  t.notMatch(await readFile(`/proc/${fronts.pids[0] ?? 0}/environ`, 'utf8'), /RESTANTE_TEST_SECRET/)
})
