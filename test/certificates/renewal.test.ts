/** When certificates are ordered, and what becomes of orders that fail: with an authority that a test holds in its hand. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { newKey } from '../../src/certificates/account.js'
import { certificateRequest } from '../../src/certificates/csr.js'
import { AcmeError } from '../../src/certificates/errors.js'
import { openCertificates } from '../../src/certificates/certificates.js'
import { createKeeper, type Keeper } from '../../src/certificates/renewal.js'
import { createCertFiles } from '../../src/certificates/cert-files.js'
import { renewalAt, waitAfter } from '../../src/certificates/renewal-times.js'
import { loadConfig } from '../../src/config/load.js'
import { DAY, HOUR, ManualClock, MINUTE } from '../../src/lib/clock.js'
import { opensslPeer } from '../support/peers/certificates.js'
import { secretFolder } from '../../src/lib/secret-files.js'

const NAMES = ['mx.agents.example', 'mail.agents.example']
const LIVE = 'https://authority.example/directory'

/** Signs what is asked of it, for 90 days from the clock's time on. */
function authority(dir: string, clock: ManualClock) {
  const [ca, caKey] = [join(dir, 'ca.pem'), join(dir, 'ca.key')]
  const openssl = (...args: string[]): string => execFileSync('/usr/bin/openssl', args, { stdio: 'pipe' }).toString()
  const when = (ms: number): string => new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/O=Test/CN=R1',
    '-keyout',
    caKey,
    '-out',
    ca,
  )
  writeFileSync(join(dir, 'index'), '')
  writeFileSync(
    join(dir, 'conf'),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${dir}/index\nnew_certs_dir=${dir}\nrand_serial=yes\ndefault_md=sha256\npolicy=any\nunique_subject=no\ncopy_extensions=copy\n[any]\ncommonName=optional\n`,
  )
  return (name: string, key: string): string => {
    writeFileSync(join(dir, 'csr'), certificateRequest(name, key))
    const request = ['-in', join(dir, 'csr'), '-inform', 'DER']
    openssl('req', ...request, '-verify', '-noout')
    const dates = ['-startdate', when(clock.now()), '-enddate', when(clock.now() + 90 * DAY)]
    const by = ['-config', join(dir, 'conf'), '-cert', ca, '-keyfile', caKey]
    return openssl('ca', '-batch', '-notext', ...by, ...dates, ...request, '-subj', '/')
  }
}

async function world(t: Test) {
  const dir = t.testdir()
  const clock = new ManualClock()
  const sign = authority(dir, clock)
  const orders: string[] = []
  const outcomes: string[] = []
  const logged: { level: string; fields: object; message: string }[] = []
  const note = (level: string) => (fields: object, message: string) => void logged.push({ level, fields, message })
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  const made = {
    dir,
    clock,
    orders,
    outcomes,
    logged,
    folder: join(dir, 'certificates'),
    /** Throws for a name that is to fail, in the place of an authority. */
    fails: (_name: string): void => undefined,
    hold: async (_signal: AbortSignal): Promise<void> => undefined,
    /** As at a start of the daemon. */
    async open(...set: string[]) {
      const all = [
        `tls.acme=${LIVE}`,
        'tls.acme_terms_agreed=true',
        `domains.hostname=${NAMES[0]}`,
        `tls.names=${NAMES[1]}`,
      ]
      const config = loadConfig({ set: [...all, ...set] })
      const files = createCertFiles(secretFolder(made.folder), log)
      const held = await openCertificates(config, files)
      const keeper = createKeeper({
        held,
        files,
        directory: config.tls.acme,
        async order(name, key, signal) {
          orders.push(name)
          await made.hold(signal)
          made.fails(name)
          return sign(name, key)
        },
        clock,
        log,
        onOrder: (outcome) => outcomes.push(outcome),
      })
      t.teardown(() => keeper.stop())
      return { held, keeper }
    },
    /** What was ordered since it was asked last. */
    ordered: () => orders.splice(0),
  }
  return made
}

const BUSY = new AcmeError('urn:ietf:params:acme:error:connection', '192.0.2.1: Fetching: refused')

t.test(
  'each name gets its own certificate, which is renewed with a third of its time left, with the same key',
  opensslPeer(),
  async (t) => {
    const w = await world(t)
    const { held, keeper } = await w.open()
    let changes = 0
    held.onChange(() => (changes += 1))
    t.same(await keeper.look(), { renewed: NAMES, failed: [] })
    t.same(w.ordered(), NAMES)
    t.equal(changes, 2)
    for (const name of NAMES)
      t.match(held.of(name), { names: [name], source: 'acme', issuer: 'Test R1', notAfter: w.clock.now() + 90 * DAY })
    t.same(await keeper.look(), { renewed: [], failed: [] })

    w.clock.advance(60 * DAY - MINUTE)
    await keeper.look()
    t.same(w.ordered(), [])
    const first = held.of(NAMES[0] ?? '')
    w.clock.advance(2 * MINUTE)
    t.same(await keeper.look(), { renewed: NAMES, failed: [] })
    t.not(held.of(NAMES[0] ?? '')?.cert, first?.cert)
    t.equal(held.of(NAMES[0] ?? '')?.key, first?.key, 'so that TLSA records stay right')

    const again = await w.open()
    t.equal(again.held.of(NAMES[0] ?? '')?.cert, held.of(NAMES[0] ?? '')?.cert, 'it is there after a restart')
    await again.keeper.look()
    t.same(w.ordered(), NAMES, 'and nothing is ordered again')
    t.same(new Set(w.outcomes), new Set(['ok']))
  },
)

t.test(
  'a name that fails takes no other down, and is tried again ever later, over restarts',
  opensslPeer(),
  async (t) => {
    const w = await world(t)
    w.fails = (name) => {
      if (name === NAMES[0]) throw BUSY
    }
    let { held, keeper } = await w.open()
    t.same(await keeper.look(), { renewed: [NAMES[1]], failed: [NAMES[0]] })
    t.equal(held.of(NAMES[0] ?? ''), undefined)
    w.ordered()
    const start = w.clock.now()
    t.match(await keeper.states(), [
      {
        name: NAMES[0],
        triedAt: start,
        nextTryAt: start + 15 * MINUTE,
        error: /^192\.0\.2\.1: Fetching: refused\. Port 80 /,
      },
      { name: NAMES[1], error: null, nextTryAt: start + 60 * DAY },
    ])
    t.match(w.logged.at(-2) ?? w.logged[0], {
      level: 'error',
      fields: { name: NAMES[0], failures: 1, advice: /Port 80/ },
    })

    const waits: number[] = []
    for (let tries = 0; tries < 7; tries += 1) {
      const before = w.clock.now()
      for (;;) {
        w.clock.advance(15 * MINUTE)
        ;({ held, keeper } = await w.open())
        await keeper.look()
        if (w.ordered().length > 0) break
      }
      waits.push(w.clock.now() - before)
    }
    t.same(waits, [15 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, DAY, DAY, DAY])

    await t.test('by hand it is tried at once', async (t) => {
      w.fails = () => undefined
      keeper.beginRenewal([NAMES[0] ?? ''])
      t.match(await keeper.states(), [{ ordering: true }, { ordering: false }])
      await keeper.idle(60_000)
      t.equal(w.outcomes.at(-1), 'ok')
      t.match(await keeper.states(), [{ name: NAMES[0], error: null, nextTryAt: w.clock.now() + 60 * DAY }, {}])
    })
  },
)

t.test('a renewal that fails leaves what there is', opensslPeer(), async (t) => {
  const w = await world(t)
  const { held, keeper } = await w.open()
  await keeper.look()
  const before = held.all()
  w.clock.advance(61 * DAY)
  w.fails = () => {
    throw new AcmeError('urn:ietf:params:acme:error:rateLimited', 'too many', { retryAfterMs: 2 * DAY })
  }
  t.same(await keeper.look(), { renewed: [], failed: NAMES })
  t.same(held.all(), before)
  t.match(await keeper.states(), [{ nextTryAt: w.clock.now() + 2 * DAY }, { nextTryAt: w.clock.now() + 2 * DAY }])
  t.match(w.logged.at(-1), { level: 'warn', message: /the old one stays in use/ })
})

t.test('another authority is asked at once, whatever the one before made out or refused', opensslPeer(), async (t) => {
  const w = await world(t)
  const staging = 'tls.acme=https://staging.example/directory'
  w.fails = (name) => {
    if (name === NAMES[1]) throw BUSY
  }
  await (await w.open(staging)).keeper.look()
  t.same(w.ordered(), NAMES)
  w.fails = () => {
    throw BUSY
  }
  const { keeper } = await w.open()
  await keeper.look()
  t.same(w.ordered(), NAMES)
  w.fails = () => undefined
  w.clock.advance(15 * MINUTE)
  await keeper.look()
  t.same(w.ordered(), NAMES, "a refusal by the new one does not make the old one's good")
  await (await w.open()).keeper.look()
  t.same(w.ordered(), [])
})

t.test("for the operator's own no order is made", opensslPeer(), async (t) => {
  const w = await world(t)
  const [key, cert] = [join(w.dir, 'own.key'), join(w.dir, 'own.pem')]
  const pem = newKey()
  writeFileSync(key, pem)
  writeFileSync(cert, authority(w.dir, w.clock)('*.agents.example', pem))
  const { held, keeper } = await w.open(
    `smtp.tls_key=${key}`,
    `smtp.tls_cert=${cert}`,
    'tls.names=mail.agents.example,other.example',
  )
  await keeper.look()
  t.same(w.ordered(), ['other.example'])
  t.equal(held.of('mail.agents.example')?.source, 'smtp.tls_cert')
})

t.test('the end of the daemon is no failure, and ends an order', opensslPeer(), async (t) => {
  const w = await world(t)
  let began: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (began = resolve))
  w.hold = (signal) =>
    new Promise((_resolve, reject) => {
      began()
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const { keeper } = await w.open()
  const looked = keeper.look()
  await begun
  await keeper.stop()
  t.same(await looked, { renewed: [], failed: [] })
  t.same(w.ordered(), [NAMES[0]], 'nor is another one begun')
  w.hold = async () => undefined
  const { keeper: next } = await w.open()
  await next.look()
  t.same(w.ordered(), NAMES)
})

t.test('whatever is left of a write, there is a whole pair or none', opensslPeer(), async (t) => {
  const w = await world(t)
  const { held, keeper } = await w.open()
  await keeper.look()
  const [name = ''] = NAMES
  const file = join(w.folder, name, 'pair.pem')
  const whole = readFileSync(file, 'utf8')
  t.same(readdirSync(join(w.folder, name)).sort(), ['pair.pem', 'state.json'])
  const reopened = async () => (await w.open()).held.of(name)?.cert

  // A crash before the rename.
  writeFileSync(`${file}.draft`, whole.slice(0, 300))
  t.equal(await reopened(), held.of(name)?.cert)
  keeper.beginRenewal([name])
  await keeper.idle(60_000)
  t.same(readdirSync(join(w.folder, name)).sort(), ['pair.pem', 'state.json'])
  t.ok(await reopened())

  // A crash between the pair and what came of the order.
  rmSync(join(w.folder, name, 'state.json'))
  t.ok(await reopened())
  writeFileSync(join(w.folder, name, 'state.json'), '{"dir')
  await (await w.open()).keeper.look()
  t.ok(await reopened())

  // A file that was damaged by others.
  for (const damaged of [
    '',
    whole.slice(0, 400),
    whole.replace(/PRIVATE KEY-----\n.{8}/, 'PRIVATE KEY-----\nAAAAAAAA'),
  ]) {
    writeFileSync(file, damaged)
    t.equal(await reopened(), undefined)
    w.ordered()
    await (await w.open()).keeper.look()
    t.same(w.ordered(), [name], 'another one is had')
    t.ok(await reopened())
  }

  // What can't be written leaves what there was.
  const last = await reopened()
  rmSync(join(w.folder, name, 'state.json'))
  mkdirSync(`${file}.draft`)
  keeper.beginRenewal([name])
  await keeper.idle(60_000)
  t.equal(w.outcomes.at(-1), 'failed')
  t.equal(await reopened(), last)
})

t.test('times', async (t) => {
  t.equal(renewalAt({ notBefore: 0, notAfter: 90 * DAY }), 60 * DAY)
  t.equal(renewalAt({ notBefore: 0, notAfter: 6 * DAY }), 4 * DAY)
  t.equal(waitAfter(1, 365 * DAY), 7 * DAY, 'an authority is not waited for without end')
  // Let's Encrypt takes five failed proofs of a name in an hour.
  let tries = 1
  for (let at = 0, failures = 1; (at += waitAfter(failures)) < HOUR; failures += 1) tries += 1
  t.ok(tries <= 4)
})

// A look that nobody awaits is still one: its end is awaited by `stop`.
t.test('the first look is begun, and not waited for', opensslPeer(), async (t) => {
  const w = await world(t)
  const { keeper }: { keeper: Keeper } = await w.open()
  keeper.begin()
  t.same(await keeper.look(), { renewed: [], failed: [] }, 'the other one has done all')
  t.same(w.ordered(), NAMES)
})
