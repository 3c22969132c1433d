/**
 * A mount namespace in which /etc/resolv.conf names the benchmark's DNS server: Debian's daemons take no other hint, and the machine's own file
 * stays as it is. Its processes are also the ones whose CPU time is counted together. Needs root.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type CliResult } from '../test/support/daemon.js'
import { namespaceCpuMs } from './processes/process.js'

export interface Namespace {
  /** Runs a program in it to its end. */
  run(program: string, args: string[]): Promise<CliResult>
  /** Starts a program in it that stays. */
  start(program: string, args: string[]): ChildProcess
  /** CPU time of all in it, so far. */
  cpuMs(): Promise<number>
  /** Ends what `start` started. */
  close(): Promise<void>
}

const KILL_AFTER_MS = 2000

/**
 * @param dir where its resolv.conf is written
 * @param nameserver an address that answers at port 53
 */
export async function createNamespace(dir: string, nameserver: string): Promise<Namespace> {
  const file = join(dir, 'resolv.conf')
  await writeFile(file, `nameserver ${nameserver}\noptions timeout:5 attempts:1\n`)
  const hold = ['sh', '-c', 'mount --bind "$0" /etc/resolv.conf && echo ready && exec sleep infinity', file]
  const anchor = spawn('unshare', ['--mount', ...hold], { stdio: ['ignore', 'pipe', 'inherit'] })
  await Promise.race([
    once(anchor.stdout, 'data'),
    once(anchor, 'exit').then(() => {
      throw new Error('no mount namespace: this needs root')
    }),
  ])
  const pid = anchor.pid ?? 0
  const enter = [`--mount=/proc/${pid}/ns/mnt`]
  const children: ChildProcess[] = [anchor]
  return {
    run: (program, args) => run('nsenter', [...enter, program, ...args]),
    start(program, args) {
      const env = { ...process.env, NODE_OPTIONS: '' }
      const child = spawn('nsenter', [...enter, program, ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
      children.push(child)
      return child
    },
    cpuMs: () => namespaceCpuMs(pid),
    async close() {
      for (const child of children.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        // Haraka waits for what it has not to lose; here it has nothing.
        const impatient = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
        await gone
        clearTimeout(impatient)
      }
    },
  }
}
