/** Debian's OpenStack Swift with its S3 interface, on ports and a folder of its own: one proxy over one server each for accounts, containers and objects. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../ports.js'
import { hasCode } from '../../../src/lib/thrown.js'
import { S3Client, type S3Options } from '../../../src/store/blobs/s3/client.js'
import { S3Error } from '../../../src/store/blobs/s3/errors.js'

export const SWIFT = '/usr/bin/swift-proxy-server'
const run = promisify(execFile)
const REGION = 'eu-test-1'
const SECRETS = { accessKeyId: 'mail:tester', secretAccessKey: 'testing-secret' }
/** A user of the same account without rights of its own. */
const GUEST = { accessKeyId: 'mail:guest', secretAccessKey: 'guest-secret' }

export interface Swift {
  /** The address of a bucket for a client; the bucket is still to be made. */
  bucket(name: string): S3Options
  guest: typeof GUEST
  stop(): Promise<void>
}

interface Running {
  name: string
  child: ChildProcess
  /** What it wrote to its outputs. */
  said: () => string
}

const STORAGE = ['account', 'container', 'object'] as const
const FILTERS: Record<string, string> = {
  catch_errors: 'catch_errors',
  gatekeeper: 'gatekeeper',
  // tempauth asks for one, and does without its answers.
  cache: 'memcache\nmemcache_servers = 127.0.0.1:1',
  listing_formats: 'listing_formats',
  bulk: 'bulk',
  s3api: `s3api\ns3_acl = false\nlocation = ${REGION}\nmin_segment_size = 1048576`,
  tempauth: `tempauth\nuser_mail_tester = ${SECRETS.secretAccessKey} .admin\nuser_mail_guest = ${GUEST.secretAccessKey}`,
  copy: 'copy',
  slo: 'slo\nminimum_segment_size = 1',
  dlo: 'dlo',
  versioned_writes: 'versioned_writes',
}

export async function startSwift(): Promise<Swift> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-swift-'))
  const children: Running[] = []
  const stop = async (): Promise<void> => {
    for (const { child } of children) {
      // A group of its own: each may have workers.
      if (child.pid !== undefined && child.exitCode === null) killGroup(child.pid)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await mkdir(join(dir, 'node', 'd1'), { recursive: true })
    await writeFile(
      join(dir, 'swift.conf'),
      '[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n[storage-policy:0]\nname = one\ndefault = yes\n',
    )
    // The user that runs the test: as root they would change to one that cannot read the folder.
    const common = `[DEFAULT]\nswift_dir = ${dir}\nbind_ip = 127.0.0.1\nworkers = 0\nuser = ${userInfo().username}\nlog_level = ERROR\n`
    const start = (name: string): void => {
      // Killed with the test's process, should that end before it can stop them.
      const command = ['--pdeathsig', 'KILL', `/usr/bin/swift-${name}-server`, join(dir, `${name}-server.conf`), '-v']
      const child = spawn('/usr/bin/setpriv', command, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      let said = ''
      for (const output of [child.stdout, child.stderr])
        output.on('data', (chunk: Buffer) => (said += chunk.toString()))
      children.push({ name, child, said: () => said })
    }
    for (const name of STORAGE) {
      const port = await freePort()
      const ring = (...args: string[]) => run('/usr/bin/swift-ring-builder', [join(dir, `${name}.builder`), ...args])
      await ring('create', '4', '1', '0')
      await ring('add', `r1z1-127.0.0.1:${port}/d1`, '1')
      await ring('rebalance')
      await writeFile(
        join(dir, `${name}-server.conf`),
        `${common}bind_port = ${port}\ndevices = ${join(dir, 'node')}\nmount_check = false\ndisable_fallocate = true\n[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
      )
      start(name)
    }
    const port = await freePort()
    const filters = Object.entries(FILTERS).map(([name, use]) => `[filter:${name}]\nuse = egg:swift#${use}\n`)
    await writeFile(
      join(dir, 'proxy-server.conf'),
      `${common}bind_port = ${port}\n[pipeline:main]\npipeline = ${Object.keys(FILTERS).join(' ')} proxy-server\n[app:proxy-server]\nuse = egg:swift#proxy\nallow_account_management = true\naccount_autocreate = true\n${filters.join('')}`,
    )
    start('proxy')
    const endpoint = new URL(`http://127.0.0.1:${port}`)
    const bucket: Swift['bucket'] = (name) => ({
      endpoint,
      bucket: name,
      region: REGION,
      pathStyle: true,
      credentials: async () => SECRETS,
    })
    await untilReady(bucket('ready'), children)
    return { guest: GUEST, bucket, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Ready once a bucket can be made, which takes all of the servers. */
async function untilReady(options: S3Options, children: Running[]): Promise<void> {
  const client = new S3Client({ ...options, limits: { tries: 1 } })
  try {
    for (let tries = 0; !(await hasMade(client)); tries++) {
      const ended = children.find(({ child }) => child.exitCode !== null)
      if (ended || tries > 300)
        throw new Error(`swift: ${children.map(({ name, said }) => `${name}: ${said().slice(-2000)}`).join('\n')}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } finally {
    client.close()
  }
}

function hasMade(client: S3Client): Promise<boolean> {
  return makeBucket(client).then(
    () => true,
    (error: unknown) => {
      if (error instanceof S3Error) return false
      throw error
    },
  )
}

export async function makeBucket(client: S3Client): Promise<void> {
  await client.send({ method: 'PUT', key: '' })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // All of them have ended.
    if (!hasCode(error, 'ESRCH')) throw error
  }
}
