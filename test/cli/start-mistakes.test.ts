/** Mistakes with which a server is started: each is told with its file and line and with what to do, by its exit code, and leaves nothing changed. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { lockDataDir } from '../../src/config/lock.js'
import { loadUws } from '../../src/http/listener/uws.js'
import { createAuthority, opensslPeer } from '../support/peers/certificates.js'
import { run } from '../support/daemon.js'
import { freePort, listenAnywhere } from '../support/ports.js'

const BIN = join(process.cwd(), 'bin/restante')

interface Place {
  dir: string
  etc: string
  data: string
}

/** A folder of settings with which a daemon would start, and no data yet. */
async function place(t: Test, files: Record<string, string> = {}): Promise<Place> {
  const dir = t.testdir({ etc: {} })
  const [etc, data] = [join(dir, 'etc'), join(dir, 'data')]
  const settings: Record<string, string> = {
    server: `data_dir = "${data}"\nhttp = "127.0.0.1:${await freePort()}"\nadmin = "127.0.0.1:${await freePort()}"\ndns = ["127.0.0.1:${await freePort()}"]\nlog_level = "silent"\n`,
    smtp: `# Where mail is received.\nlisten = ["127.0.0.1:${await freePort()}"]\n`,
    ...files,
  }
  for (const [name, text] of Object.entries(settings)) writeFileSync(join(etc, `${name}.toml`), text)
  return { dir, etc, data }
}

const start = ({ etc }: Place, ...more: string[]) => run(process.execPath, [BIN, 'start', '--config', etc, ...more])

const wrongSettings: [what: string, files: Record<string, string>, expected: RegExp][] = [
  [
    'a value of a wrong type',
    { relay: '\nport = "x"\n' },
    /relay\.toml:2: relay\.port is "x"; it takes a whole number from 1 to 65535/,
  ],
  ['an unknown key', { relay: 'prot = 25\n' }, /relay\.toml:1: there is no relay\.prot\. Did you mean relay\.port\?/],
  ['an unknown file', { realy: '' }, /realy\.toml: unknown settings file\. Did you mean relay\.toml\?/],
  ['a line that is no TOML', { relay: '\n\nport 25\n' }, /relay\.toml:3: .*A setting is written name = value/],
  [
    'a domain with a typo',
    { domains: 'names = ["agents_example.com"]\n' },
    /domains\.toml:1: .*it takes a list of domains, each a domain such as/,
  ],
  [
    'two equal domains',
    { domains: 'names = ["a.example", "A.example"]\n' },
    /domains\.toml:1: domains\.names: a\.example is listed twice\. Remove one/,
  ],
  [
    'an address as host name',
    { domains: 'hostname = "192.0.2.1"\n' },
    /domains\.toml:1: domains\.hostname is "192\.0\.2\.1"; it takes a host name such as/,
  ],
  [
    'a key without a certificate',
    { smtp: 'tls_key = "/dev/null"\n' },
    /smtp\.toml:1: smtp\.tls_key: smtp\.tls_cert has to be set too/,
  ],
  [
    'a key that is not there',
    { smtp: 'tls_cert = "/dev/null"\ntls_key = "/none/key.pem"\n' },
    /smtp\.toml:2: smtp\.tls_key: this file can't be read: ENOENT/,
  ],
]
for (const [what, files, expected] of wrongSettings)
  t.test(`${what}: 78, and nothing is made`, async (t) => {
    const where = await place(t, files)
    const { code, stderr } = await start(where)
    t.equal(code, 78)
    t.match(stderr, expected)
    t.notOk(existsSync(where.data))
  })

t.test('a missing folder of settings, and a file in place of the data: 78', async (t) => {
  const where = await place(t)
  t.match(await start(where, '--config', join(where.dir, 'none')), {
    code: 78,
    stderr: /none: the folder given with --config can't be read/,
  })
  writeFileSync(where.data, 'mine')
  t.match(await start(where), {
    code: 78,
    stderr: /server\.toml:1: server\.data_dir: .*data is a file; it has to be a folder/,
  })
})

t.test('a folder of data where none can be made: 1, with the line, and it does not try for ever', async (t) => {
  const where = await place(t, { server: 'data_dir = "/proc/none/data"\nlog_level = "silent"\n' })
  t.match(await start(where), {
    code: 1,
    stderr: /server\.toml:1: server\.data_dir: no folder can be made there .*Name one on a disk/,
  })
})

t.test(
  'a certificate that does not fit: 78 for another key, and for another name, with the line',
  opensslPeer(),
  async (t) => {
    const where = await place(t)
    const authority = createAuthority(where.dir)
    const [one, other] = [authority.issue(['mx.agents.example']), authority.issue(['elsewhere.example'])]
    const files = (cert: string, key: string) =>
      writeFileSync(join(where.etc, 'smtp.toml'), `tls_cert = "${cert}"\ntls_key = "${key}"\n`)
    writeFileSync(join(where.etc, 'domains.toml'), 'names = ["agents.example"]\nhostname = "mx.agents.example"\n')
    files(one.certFile, other.keyFile)
    t.match(await start(where), {
      code: 78,
      stderr: /smtp\.toml:2: smtp\.tls_key: .* is not the key of the certificate in smtp\.tls_cert/,
    })
    files(one.certFile, one.certFile)
    t.match(await start(where), {
      code: 78,
      stderr: /smtp\.toml:2: smtp\.tls_key: .* is not a private key in PEM form/,
    })
    files(other.certFile, other.keyFile)
    t.match(await start(where), {
      code: 78,
      stderr:
        /smtp\.toml:1: smtp\.tls_cert: .* is for DNS:elsewhere\.example, and not for mx\.agents\.example \(domains\.hostname\)\. Set a certificate for that name/,
    })
    t.notOk(existsSync(where.data))
  },
)

t.test('a port in use, and an address of another machine: 1, with the line, and nothing is made', async (t) => {
  const server = createServer()
  const taken = `127.0.0.1:${await listenAnywhere(server)}`
  t.teardown(() => server.close())
  const smtp = await place(t, { smtp: `# Mine.\nlisten = ["${taken}"]\n` })
  const { code, stderr } = await start(smtp)
  t.equal(code, 1)
  t.match(
    stderr,
    `smtp.toml:2: smtp.listen: ${taken} cannot be listened on: the port is in use. Stop the process that has it ("ss -ltnp sport = :`,
  )
  t.notOk(existsSync(smtp.data))
  const http = await place(t, { smtp: 'listen = ["192.0.2.1:2525"]\n' })
  t.match(await start(http), { code: 1, stderr: /smtp\.toml:1: .*this machine has no address 192\.0\.2\.1/ })
})

const uws = loadUws()
for (const driver of 'driver' in uws ? ['uws', 'node'] : ['node'])
  t.test(`${driver}: the same of addresses of HTTP`, async (t) => {
    const server = createServer()
    const taken = `127.0.0.1:${await listenAnywhere(server)}`
    t.teardown(() => server.close())
    const where = await place(t)
    const all = [`server.http_driver=${driver}`, 'server.base_url=https://mx.agents.example'].flatMap((each) => [
      '--set',
      each,
    ])
    const at = (setting: string, address: string) => start(where, ...all, '--set', `${setting}=${address}`)
    for (const setting of ['server.http', 'server.redirect'])
      t.match(await at(setting, taken), {
        code: 1,
        stderr: `${setting}: ${taken} cannot be listened on: the port is in use. Stop`,
      })
    t.match(await at('server.http', '192.0.2.1:8080'), {
      code: 1,
      stderr: /server\.http: .*this machine has no address 192\.0\.2\.1/,
    })
    t.notOk(existsSync(where.data))
  })

t.test(
  'a port below 1024 as a user who may not have it: 1, with who may, and nothing is made',
  { skip: process.getuid?.() !== 0 && 'takes root to be somebody else' },
  async (t) => {
    for (const driver of ['auto', 'node']) {
      const where = await place(t)
      chmodSync(where.dir, 0o777)
      const { code, stderr } = await run('/usr/bin/setpriv', [
        ...['--reuid=65534', '--regid=65534', '--clear-groups'],
        ...[process.execPath, BIN, 'start', '--config', where.etc, '--set', 'server.http=127.0.0.1:81'],
        ...['--set', `server.http_driver=${driver}`],
      ])
      t.equal(code, 1)
      t.match(
        stderr,
        /server\.http: 127\.0\.0\.1:81 cannot be listened on: this user may not use a port below 1024\. Start it by its unit/,
      )
      t.notOk(existsSync(where.data))
    }
  },
)

t.test('a clock that went back by more than a day: 1, with the remedy, and no byte is changed', async (t) => {
  const where = await place(t)
  const store = join(where.data, 'store')
  mkdirSync(store, { recursive: true, mode: 0o700 })
  const file = join(store, 'data.mdb')
  writeFileSync(file, 'as it was')
  const tomorrow = new Date(Date.now() + 2 * 86_400_000)
  utimesSync(file, tomorrow, tomorrow)
  t.match(await start(where), { code: 1, stderr: /it went back by more than a day\. Set it .* touch .*data\.mdb/ })
  t.same(readdirSync(where.data), ['store'])
  t.same(readdirSync(store), ['data.mdb'])
  t.equal(readFileSync(file, 'utf8'), 'as it was')
  utimesSync(file, new Date(), new Date())
  t.notMatch((await start(where)).stderr, 'went back', 'who knows that it is right says so')
})

t.test('a second daemon on one folder: 1, before it looks at ports', async (t) => {
  const where = await place(t)
  mkdirSync(where.data, { mode: 0o700 })
  const release = await lockDataDir(where.data)
  t.match(await start(where), {
    code: 1,
    stderr: /another daemon is running on the data folder .*Stop it, or give this one its own folder/,
  })
  await release()
  t.same(readdirSync(where.data), [])
})

t.test('a clock that is behind by a day is found by the doctor', async (t) => {
  const where = await place(t)
  mkdirSync(join(where.data, 'store'), { recursive: true, mode: 0o700 })
  chmodSync(where.data, 0o700)
  const tomorrow = Date.now() / 1000 + 86_400
  utimesSync(join(where.data, 'store'), tomorrow, tomorrow)
  const { code, stdout } = await run(process.execPath, [BIN, 'doctor', '--config', where.etc])
  t.equal(code, 1)
  t.match(stdout, /FAILED {3}machine\.clock: .*: the clock is behind\n {4}run {6}timedatectl set-ntp true/)
})

/** Whether a small file system can be made here, which takes root and the right to mount. */
function canMount(dir: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

t.test('a disk that is full: 1, with what to do, and nothing is made', async (t) => {
  const where = await place(t)
  mkdirSync(where.data)
  if (!canMount(where.data)) return void t.comment('no file system can be mounted here')
  try {
    chmodSync(where.data, 0o700)
    writeFileSync(join(where.data, 'other'), Buffer.alloc(60 * 1024))
    const { code, stderr } = await start(where)
    t.equal(code, 1)
    t.match(stderr, /server\.toml:1: server\.data_dir: the disk of .*data is full\. Make room: "du -xhd1 /)
    t.same(readdirSync(where.data), ['other'])
  } finally {
    execFileSync('umount', [where.data])
  }
})

t.test(
  'a data folder of somebody else: 1, with who may',
  { skip: process.getuid?.() !== 0 && 'takes root to be somebody else' },
  async (t) => {
    const where = await place(t)
    chmodSync(where.dir, 0o755)
    mkdirSync(where.data, { mode: 0o700 })
    const { code, stderr } = await run('/usr/bin/setpriv', [
      ...['--reuid=65534', '--regid=65534', '--clear-groups'],
      ...[process.execPath, BIN, 'start', '--config', where.etc],
    ])
    t.equal(code, 1)
    t.match(
      stderr,
      /server\.toml:1: server\.data_dir: this user may not write there \(EACCES.*Start it as the user whose folder that is/,
    )
  },
)
