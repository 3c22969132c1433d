/** The daemon as its operator meets it: starting, reloading, stopping. It runs from dist: `npm run build` first. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { startDaemon } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'
import { freePort } from '../support/ports.js'

const OPENSSL = '/usr/bin/openssl'
const BIN = join(process.cwd(), 'bin/restante')
/** Without the hooks of the test runner, which would look at each file the daemon loads. */
const env = { ...process.env, NODE_OPTIONS: '' }

interface Options {
  dataDir: string
  http: string
  args: string[]
}

async function options(t: Test, files: Record<string, string> = {}): Promise<Options> {
  const root = t.testdir({ config: files, data: {} })
  const [http, admin, smtp] = [await freePort(), await freePort(), await freePort()]
  const settings = [
    `server.data_dir=${root}/data`,
    `server.http=127.0.0.1:${http}`,
    `server.admin=127.0.0.1:${admin}`,
    `smtp.listen=127.0.0.1:${smtp}`,
  ]
  const args = ['--config', `${root}/config`, ...settings.flatMap((setting) => ['--set', setting])]
  return { dataDir: `${root}/data`, http: `127.0.0.1:${http}`, args }
}

const lineSchema = z.looseObject({ level: z.string(), time: z.string(), msg: z.string() })
type Line = z.infer<typeof lineSchema>

/** Runs the daemon and reads its log; each line on standard output has to be JSON. */
function run(t: Test, args: string[]) {
  const child = spawn(process.execPath, [BIN, 'start', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const lines: Line[] = []
  const waiting: ((line: Line) => void)[] = []
  let banner = ''
  child.stderr.on('data', (chunk: Buffer) => (banner += chunk.toString()))
  createInterface(child.stdout).on('line', (text) => {
    const line = lineSchema.parse(JSON.parse(text))
    lines.push(line)
    for (const tell of waiting) tell(line)
  })
  const ended = once(child, 'close').then(([code]: unknown[]) => code)
  return {
    child,
    lines,
    ended,
    banner: () => banner,
    /** The next line with this message; to be called before what causes it. */
    logged: (wanted: string) =>
      new Promise<Line>((resolve, reject) => {
        waiting.push((line) => line.msg === wanted && resolve(line))
        void ended.then((code) => reject(new Error(`ended with ${code} before "${wanted}": ${banner}`)))
      }),
  }
}

function restante(...args: string[]) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })
}

t.test('it starts, says where it is and what to try, answers, and ends with 0 on SIGTERM', async (t) => {
  const { dataDir, http, args } = await options(t)
  const daemon = run(t, args)
  t.match(await daemon.logged('ready'), { level: 'info', http, data_dir: dataDir })
  t.equal((await fetch(`http://${http}/healthz`)).status, 200)
  t.match(daemon.banner(), `http://${http}`)
  t.match(daemon.banner(), 'restante claim list')
  t.equal(statSync(join(dataDir, 'secrets/admin_token')).mode & 0o777, 0o600)
  daemon.child.kill('SIGTERM')
  t.equal(await daemon.ended, 0)
  t.match(daemon.lines.at(-1), { level: 'info', msg: 'stopped' })
  t.notOk(existsSync(join(dataDir, 'lock')), 'the folder is free again')
})

t.test('SIGTERM in the middle of the start is a clean end too, and the folder is free again', async (t) => {
  const { dataDir, args } = await options(t)
  const daemon = run(t, args)
  await daemon.logged('made a DKIM key')
  daemon.child.kill('SIGTERM')
  t.equal(await daemon.ended, 0)
  t.match(daemon.lines.at(-1), { level: 'info', msg: 'stopped' })
  t.notOk(existsSync(join(dataDir, 'lock')))
})

t.test('a start that hangs ends at SIGTERM all the same, after the time it has to stop', async (t) => {
  const { dataDir, args } = await options(t)
  // Reading a pipe to which nobody writes.
  const pipe = join(dataDir, '../pipe')
  execFileSync('mkfifo', [pipe])
  const settings = ['server.shutdown_seconds=1', `smtp.tls_key=${pipe}`, `smtp.tls_cert=${pipe}`]
  const daemon = run(t, [...args, ...settings.flatMap((setting) => ['--set', setting])])
  await daemon.logged('made a DKIM key')
  daemon.child.kill('SIGTERM')
  await daemon.ended
  t.equal(daemon.child.signalCode, 'SIGKILL')
})

t.test('a daemon whose log nobody reads any more ends at SIGTERM all the same', async (t) => {
  const { args } = await options(t)
  const daemon = spawn(process.execPath, [BIN, 'start', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  })
  t.teardown(() => daemon.kill('SIGKILL'))
  let said = ''
  daemon.stdout.on('data', (chunk) => (said += String(chunk)))
  while (!said.includes('"msg":"ready"')) await once(daemon.stdout, 'data')
  const ended = once(daemon, 'exit')
  daemon.stdout.destroy()
  daemon.kill('SIGTERM')
  await ended
  t.pass('it ended')
})

t.test('a new domain gets its keys at the start, and the log has the records to publish', async (t) => {
  const { args } = await options(t, { 'domains.toml': 'names = ["agents.test"]' })
  const daemon = run(t, args)
  await daemon.logged('ready')
  const made = daemon.lines.filter(({ msg }) => msg === 'made a DKIM key; publish its record')
  t.equal(made.length, 2)
  for (const line of made)
    t.match(line, { domain: 'agents.test', record: /^[re]\d{8}\._domainkey\.agents\.test\. IN TXT \( "v=DKIM1; / })
})

t.test('the command line reaches it: mailboxes, a new key, new DKIM keys that are in use at once', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  t.match(await daemon.cli('claim', 'list'), { code: 0, stderr: 'No claim waits for approval.\n' })
  t.match((await daemon.cli('mailbox', 'list')).stdout, 'postmaster@agents.test')
  t.match(await daemon.cli('mailbox', 'key', 'postmaster@agents.test'), { code: 0, stdout: /^rst_\w+\n$/ })
  t.match(await daemon.cli('mailbox', 'key', 'nobody@agents.test'), { code: 1, stderr: /There is no such mailbox/ })
  t.match(await daemon.cli('dkim', 'new', 'agents.test'), { code: 1, stderr: /has keys already[^]*dkim rotate/ })
  t.match(await daemon.cli('dkim', 'rotate', 'agents.test', '--now', '--yes'), {
    code: 0,
    stderr: /The running daemon signs with them now\.\n/,
  })
})

t.test('a second daemon on the same data says so and ends; the first goes on', async (t) => {
  const first = await options(t)
  const daemon = run(t, first.args)
  await daemon.logged('ready')
  const second = await restante('start', ...first.args)
  t.equal(second.code, 1)
  t.match(second.err, 'another daemon is running on the data folder')
  t.equal((await fetch(`http://${first.http}/healthz`)).status, 200)
})

t.test('a port that is taken is named, and nothing is left behind', async (t) => {
  const first = await options(t)
  const daemon = run(t, first.args)
  await daemon.logged('ready')
  const second = await options(t)
  const { code, err } = await restante('start', ...second.args, '--set', `server.http=${first.http}`)
  t.equal(code, 1)
  t.match(
    err,
    `could not start: --set server.http: server.http: ${first.http} cannot be listened on: the port is in use`,
  )
  t.notOk(existsSync(join(second.dataDir, 'lock')))
})

t.test(
  'SIGHUP takes over what it can, names what needs a restart, and keeps the old settings when the new ones are wrong',
  async (t) => {
    const { http, args } = await options(t, { 'server.toml': '' })
    const file = join(args[1] ?? '', 'server.toml')
    const daemon = run(t, args)
    await daemon.logged('ready')

    writeFileSync(file, 'log_levle = "debug"\n')
    const refused = daemon.logged('reload refused; everything stays as it was')
    daemon.child.kill('SIGHUP')
    t.match(await refused, {
      level: 'error',
      err: { message: /server\.toml:1: there is no server\.log_levle\. Did you mean server\.log_level\?/ },
    })
    t.equal((await fetch(`http://${http}/healthz`)).status, 200)

    writeFileSync(file, 'log_level = "debug"\nshutdown_seconds = 5\n')
    const reloaded = daemon.logged('reloaded')
    daemon.child.kill('SIGHUP')
    t.match(await reloaded, {
      level: 'info',
      changed: ['server.log_level'],
      needs_restart: ['server.shutdown_seconds'],
    })
  },
)

t.test(
  'SIGHUP takes over a renewed certificate, and keeps the old one when the new one is unusable',
  peer('openssl', OPENSSL),
  async (t) => {
    const { dataDir, http, args } = await options(t)
    const [key, cert] = [join(dataDir, '../key.pem'), join(dataDir, '../cert.pem')]
    const forHost = ['-addext', 'subjectAltName=DNS:agents.localhost']
    const renew = (name: string): void => {
      const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
      execFileSync(OPENSSL, [...request, '-subj', `/CN=${name}`, ...forHost, '-keyout', key, '-out', cert], {
        stdio: 'pipe',
      })
    }
    const smtp = args.find((arg) => arg.startsWith('smtp.listen='))?.split(':')[1]
    const shown = async (): Promise<unknown> => {
      const socket = connect(Number(smtp), '127.0.0.1')
      await once(socket, 'data')
      socket.write('STARTTLS\r\n')
      await once(socket, 'data')
      const tls = connectTls({ socket, rejectUnauthorized: false })
      await once(tls, 'secureConnect')
      const { subject } = tls.getPeerCertificate()
      tls.destroy()
      return subject.CN
    }
    renew('first.test')
    const daemon = run(t, [...args, '--set', `smtp.tls_key=${key}`, '--set', `smtp.tls_cert=${cert}`])
    await daemon.logged('ready')
    t.equal(await shown(), 'first.test')

    renew('second.test')
    const reloaded = daemon.logged('reloaded')
    daemon.child.kill('SIGHUP')
    await reloaded
    t.equal(await shown(), 'second.test')

    writeFileSync(cert, 'nonsense')
    const refused = daemon.logged('reload refused; everything stays as it was')
    daemon.child.kill('SIGHUP')
    await refused
    t.equal(await shown(), 'second.test')
    t.equal((await fetch(`http://${http}/healthz`)).status, 200)
  },
)

t.test('wrong settings stop the start with 78', async (t) => {
  const { args } = await options(t, { 'limits.toml': 'claim_difficulty = "hard"' })
  const { code, out, err } = await restante('start', ...args)
  t.equal(code, 78)
  t.equal(out, '')
  t.match(err, 'limits.toml:1: limits.claim_difficulty is "hard"; it takes a whole number from 1 to 40')
})
