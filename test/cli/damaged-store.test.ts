/** A store that is lost or damaged, as an operator meets it: the start is refused with 78, "verify" finds it, and a daemon that runs notices. */
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { lockDataDir } from '../../src/config/lock.js'
import { readLmdbFile } from '../../src/store/engines/lmdb/lmdb-pages.js'
import { startDaemon } from '../support/daemon.js'
import { inSample } from '../support/sample.js'
import { deliver } from '../support/peers/smtp.js'

const PAGE = 4096
/** Flags of a page with rows. */
const LEAF = 0x02

t.test('a lost or damaged store', async (t) => {
  const daemon = await startDaemon({ 'relay.outbound': 'off', 'server.min_free_bytes': '0' })
  const { dataDir } = daemon
  const whole = await mkdtemp(join(tmpdir(), 'whole-'))
  t.teardown(async () => {
    await daemon.remove()
    await rm(whole, { recursive: true })
  })
  for (let n = 0; n < 5; n++)
    await deliver(daemon.smtpPort, {
      to: ['postmaster@agents.test'],
      subject: `mail ${n}`,
      text: 'x'.repeat(n === 0 ? 100_000 : 9_000),
    })
  t.equal(await daemon.end('SIGTERM'), 0)
  await cp(dataDir, whole, { recursive: true })
  const file = join(dataDir, 'store', 'data.mdb')
  const usedPages = (): number => (readLmdbFile(file)?.lastPage ?? 0) + 1
  const reset = async (): Promise<void> => {
    for (const folder of ['store', 'secrets', 'dkim', 'blobs']) {
      await rm(join(dataDir, folder), { recursive: true, force: true })
      await cp(join(whole, folder), join(dataDir, folder), { recursive: true })
    }
  }
  const overwrite = async (pages: number[], content: () => Buffer): Promise<void> => {
    const store = await open(file, 'r+')
    for (const page of pages) await store.write(content(), 0, PAGE, page * PAGE)
    await store.close()
  }
  const verifyFinds = async (kind: string, what: RegExp): Promise<void> => {
    const { code, stdout } = await daemon.cli('verify', '--json')
    t.equal(code, 1)
    const { findings }: { findings: { kind: string; what: string; repair: string }[] } = JSON.parse(stdout)
    t.ok(
      findings.some((found) => found.kind === kind && what.test(found.what) && found.repair === 'restore'),
      stdout.slice(0, 500),
    )
  }

  await t.test('what is whole has no findings', async (t) => {
    t.match(await daemon.cli('verify'), { code: 0, stdout: /5 messages.*nothing was found wrong/ })
  })

  const LOST: Record<string, () => Promise<unknown>> = {
    'no file': () => rm(file),
    'an empty file': () => writeFile(file, ''),
    'no folder': () => rm(join(dataDir, 'store'), { recursive: true }),
    'half a file': async () => truncate(file, Math.floor(usedPages() / 2) * PAGE),
    'a torn first page': async () => {
      const store = await open(file, 'r+')
      for (const page of [0, 1]) await store.write(randomBytes(24), 0, 24, page * PAGE + 136)
      await store.close()
    },
    'keys alone': async () => {
      for (const folder of ['store', 'secrets', 'blobs']) await rm(join(dataDir, folder), { recursive: true })
    },
  }
  const cases = inSample(Object.entries(LOST), ([name]) => name === 'no file' || name === 'a torn first page')
  for (const [name, damage] of cases)
    await t.test(name, async (t) => {
      await reset()
      await damage()
      await t.rejects(
        daemon.start(),
        /the daemon ended with 78[^]*could not start: the data folder[^]*restante restore FILE --to DIR/,
      )
      await verifyFinds('store-damaged', /missing or empty|damaged database/)
      t.match(await daemon.cli('backup', '--to', join(whole, 'backup.tar.gz')), {
        code: 78,
        stderr: /restante restore/,
      })
      t.match(await daemon.cli('repair', '--yes'), { code: 78, stderr: /Nothing was repaired/ })
    })

  await t.test('twelve pages overwritten', async () => {
    await reset()
    const last = usedPages() - 1
    await overwrite(
      Array.from({ length: 12 }, (_, i) => last - i),
      () => randomBytes(PAGE),
    )
    await verifyFinds('store-page', /page \d+.* is not what was written/)
    await verifyFinds('store-page', /it counts \d+ entries of its rows, but \d+ can be reached/)
  })

  await t.test('beside a daemon, where pages are not read one by one', async (t) => {
    await reset()
    const { root = 0 } = readLmdbFile(file)?.rows ?? {}
    await overwrite([root], () => Buffer.alloc(PAGE))
    const release = await lockDataDir(dataDir)
    t.teardown(release)
    const { code, stdout } = await daemon.cli('verify')
    t.equal(code, 1)
    t.match(stdout, /store-(rows|damaged)/)
  })

  await t.test('the signal by which a damaged page ends the reading is a finding', async () => {
    await reset()
    const bytes = await readFile(file)
    // Every value is said to be 1 GiB long, which leads the library beyond the end of the file.
    for (let page = 2 * PAGE; page < bytes.length; page += PAGE) {
      if (bytes.readUInt16LE(page + 18) !== LEAF) continue
      for (let at = page + 24; at < page + 24 + bytes.readUInt16LE(page + 20); at += 2)
        bytes.writeUInt32LE(0x40000000, page + 24 + bytes.readUInt16LE(at))
    }
    await writeFile(file, bytes)
    await verifyFinds('store-page', /is not what was written/)
    await verifyFinds('store-damaged', /^reading the database ended the process by SIG(BUS|SEGV): a page of the file/)
  })

  await t.test('under a daemon that runs', async (t) => {
    await reset()
    await daemon.start()
    t.equal((await fetch(`${daemon.url}/healthz`)).status, 200)
    await rename(file, `${file}.away`)
    let status = 200
    while (status === 200) status = (await fetch(`${daemon.url}/healthz`)).status
    t.equal(status, 503)
    t.match(await (await fetch(`${daemon.url}/healthz`)).json(), {
      error: { code: 'unavailable', message: /store cannot be read/ },
    })
    await t.rejects(deliver(daemon.smtpPort, { to: ['postmaster@agents.test'], subject: 'lost?', text: 'x' }), /451/)
    await rename(`${file}.away`, file)
    while (status !== 200) status = (await fetch(`${daemon.url}/healthz`)).status
    await deliver(daemon.smtpPort, { to: ['postmaster@agents.test'], subject: 'kept', text: 'x' })
    t.equal(await daemon.end('SIGTERM'), 0)
    t.match(await daemon.cli('verify'), { code: 0, stdout: /6 messages/ })
  })
})
