/**
 * A bare Debian below a folder, made by mmdebstrap from the package sources of this machine, and booted with its own systemd: in namespaces of its own for
 * processes, mounts, names and network, so that nothing of this machine changes. Needs root.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { run, type CliResult } from '../daemon.js'
import { peer } from './peers.js'

/** For the options of a test that boots a Debian. */
export function debianPeers(): { skip: string | false } {
  if (process.getuid?.() !== 0) {
    if (process.env.REQUIRE_PEERS === '1') throw new Error('a Debian can only be made and booted by root')
    return { skip: 'a Debian can only be made and booted by root' }
  }
  const paths = [
    '/usr/bin/mmdebstrap',
    '/usr/bin/unshare',
    '/usr/bin/nsenter',
    '/usr/sbin/ip',
    '/usr/bin/dpkg-shlibdeps',
  ]
  return paths.map((path) => peer(path.replace(/.*\//, ''), path)).find(({ skip }) => skip) ?? { skip: false }
}

/**
 * Makes the root, with no more than apt and what is named. What nobody reads there is left out: manuals and languages of other packages.
 *
 * @param suite the release of Debian, by its code name; from where this machine has its own
 */
export async function makeDebian(root: string, suite: string, packages: readonly string[]): Promise<void> {
  const sources = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'].find((path) => existsSync(path))
  if (sources === undefined) throw new Error('this machine has no sources of Debian packages')
  const ownSuite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable'
  const list = `${root}${extname(sources)}`
  writeFileSync(list, readFileSync(sources, 'utf8').replaceAll(ownSuite, suite))
  const dpkg = [
    'force-unsafe-io',
    'path-exclude=/usr/share/locale/*',
    'path-exclude=/usr/share/doc/*',
    'path-include=/usr/share/doc/restante/*',
  ]
  const made = await run('/usr/bin/mmdebstrap', [
    '--quiet',
    '--mode=root',
    '--variant=apt',
    ...dpkg.map((line) => `--dpkgopt=${line}`),
    `--include=${packages.join(',')}`,
    suite,
    root,
    list,
  ])
  rmSync(list)
  if (made.code !== 0) throw new Error(`mmdebstrap: ${made.stderr}`)
}

export interface Machine {
  /** Runs a shell script in it. */
  shell(script: string): Promise<CliResult>
  /** The same, where the network alone is its own: with the programs and files of this machine. */
  onItsNetwork(program: string, args: string[], input?: string): Promise<CliResult>
  /** Process of its network, for a cable. */
  pid: number
  /** Shuts down and waits for the end. */
  powerOff(): Promise<void>
}

/** Kernel interfaces given to a booted root. `$1` is the root, `$2` its name. */
const BOOT = `
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t sysfs -o ro sysfs "$1/sys"
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
for device in null zero full random urandom tty; do : > "$1/dev/$device"; mount --bind "/dev/$device" "$1/dev/$device"; done
mkdir "$1/dev/pts" "$1/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$1/dev/pts"
ln -s pts/ptmx "$1/dev/ptmx"; ln -s /proc/self/fd "$1/dev/fd"
mount -t tmpfs -o mode=755 tmpfs "$1/run"
ip link set lo up
hostname "$2"
cd "$1"; mkdir -p .before; pivot_root . .before; umount -l /.before
exec env -i container=restante PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=journal --show-status=0
`

/** @param name of the host. @throws Error when systemd does not come up */
export async function boot(root: string, name: string): Promise<Machine> {
  const group = join(controlGroups(), `restante-test-${process.pid}`)
  await mkdir(group, { recursive: true })
  const enter = `echo $$ > ${group}/cgroup.procs; exec unshare --cgroup --mount --pid --net --uts --ipc --fork --kill-child --propagation private sh -euc "$3" sh "$1" "$2"`
  const parent = spawn('/bin/sh', ['-euc', enter, 'sh', root, name, BOOT], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [parent.stdout, parent.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const pid = await childOf(parent)
  const inside = ['-t', String(pid), '-m', '-p', '-n', '-u', '-i', '-C', '-r', '-w']
  const shell = (script: string): Promise<CliResult> =>
    run('/usr/bin/nsenter', [
      ...inside,
      'env',
      '-i',
      'HOME=/root',
      'LANG=C.UTF-8',
      'DEBIAN_FRONTEND=noninteractive',
      'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      '/bin/sh',
      '-euc',
      script,
    ])
  const powerOff = async (): Promise<void> => {
    if (parent.exitCode === null && parent.signalCode === null) {
      await shell('systemctl poweroff')
      const isOver = await Promise.race([once(parent, 'exit').then(() => true), delay(20_000, false, { ref: false })])
      if (!isOver) parent.kill('SIGKILL')
    }
    await removeGroups(group)
  }
  for (let tries = 0; tries < 300; tries++) {
    const { stdout } = await shell('systemctl is-system-running || true')
    if (/^(?:running|degraded)$/m.test(stdout))
      return {
        shell,
        onItsNetwork: (program, args, input) =>
          run('/usr/bin/nsenter', ['-t', String(pid), '-n', program, ...args], input),
        pid,
        powerOff,
      }
    if (parent.exitCode !== null) break
    await delay(100)
  }
  await powerOff()
  throw new Error(`systemd did not come up in ${root}: ${said}`)
}

/** Mount point of cgroup v2. */
function controlGroups(): string {
  const found = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/self/mounts', 'utf8'))?.[1]
  if (found === undefined) throw new Error('this machine has no control groups of version 2')
  return found
}

async function removeGroups(group: string): Promise<void> {
  for (const entry of await readdir(group, { withFileTypes: true }))
    if (entry.isDirectory()) await removeGroups(join(group, entry.name))
  await execFileQuietly('rmdir', [group])
}

/** Failure is ignored: the kernel ends the remaining processes soon, and an empty group costs nothing. */
function execFileQuietly(program: string, args: string[]): Promise<void> {
  return new Promise((resolve) => execFile(program, args, () => resolve()))
}

async function childOf({ pid }: ChildProcess): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    if (children !== '') return Number(children.split(' ')[0])
    await delay(20)
  }
  throw new Error('unshare has started nothing')
}

export interface Neighbour {
  address: string
  /** Starts a program of this machine on the neighbour's network. */
  start(program: string, args: string[]): ChildProcess
  run(program: string, args: string[], input?: string): Promise<CliResult>
  stop(): void
}

/** Another host on the other end of a cable, with the programs of this machine. The network has these two and no more. */
export async function connectNeighbour(machine: Machine, own: string, address: string): Promise<Neighbour> {
  const holder = spawn('/usr/bin/unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  const pid = holder.pid ?? 0
  const stop = (): void => void holder.kill('SIGKILL')
  while (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'sleep') await delay(10)
  const cable = `cable${process.pid % 10_000}`
  const script = `
ip link add ${cable} netns ${pid} type veth peer name eth0 netns ${machine.pid}
nsenter -t ${pid} -n sh -euc 'ip link set lo up; ip addr add ${address}/8 dev ${cable}; ip link set ${cable} up'
nsenter -t ${machine.pid} -n sh -euc 'ip addr add ${own}/8 dev eth0; ip link set eth0 up'`
  const laid = await run('/bin/sh', ['-euc', script])
  if (laid.code !== 0) {
    stop()
    throw new Error(`no cable: ${laid.stderr}`)
  }
  const enter = ['-t', String(pid), '-n']
  return {
    address,
    start: (program, args) =>
      spawn('/usr/bin/nsenter', [...enter, program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }),
    run: (program, args, input) => run('/usr/bin/nsenter', [...enter, program, ...args], input),
    stop,
  }
}
