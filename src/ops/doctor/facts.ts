/** Facts that only the running daemon knows, for the doctor. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ifExists } from '../../lib/files.js'

export const factsSchema = z.object({
  version: z.string(),
  pid: z.int(),
  /** Null on systems without user ids. */
  uid: z.int().nullable(),
  node: z.string(),
  /** The driver of plain HTTP. Older daemons do not report it. */
  http_driver: z.enum(['uws', 'node']).optional(),
  /** Started by systemd as a unit. */
  systemd: z.boolean(),
  open_files_limit: z.int().nullable(),
  memory_limit_bytes: z.int().nullable(),
  memory_bytes: z.int(),
  queue: z.object({ tasks: z.int(), held: z.int(), oldest_queued_at: z.string().nullable(), paused: z.int() }),
  review: z.object({ held: z.int(), oldest_held_at: z.string().nullable() }),
  webhooks_disabled: z.int(),
  /** Recent reports of others on our domains; missing from older daemons. */
  reports: z
    .object({
      reports: z.int(),
      own_failing: z.array(z.object({ domain: z.string(), ip: z.string(), messages: z.int() })),
      tls_failing: z.array(z.object({ domain: z.string(), sessions: z.int(), types: z.array(z.string()) })),
    })
    .optional(),
  operator_addresses_taken: z.array(z.string()),
})

export type Facts = z.infer<typeof factsSchema>

export async function processFacts(): Promise<
  Pick<Facts, 'pid' | 'uid' | 'node' | 'systemd' | 'open_files_limit' | 'memory_limit_bytes' | 'memory_bytes'>
> {
  return {
    pid: process.pid,
    uid: process.getuid?.() ?? null,
    node: process.version,
    // systemd.exec(5): set for processes that systemd starts as a unit; a shell that is a unit passes it on.
    systemd: process.env.INVOCATION_ID !== undefined && process.ppid === 1,
    open_files_limit: openFilesLimit((await readIfThere('/proc/self/limits')) ?? ''),
    memory_limit_bytes: await memoryLimit(),
    memory_bytes: process.memoryUsage.rss(),
  }
}

/** The soft limit in the words of proc(5); null for none. */
export function openFilesLimit(limits: string): number | null {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? null : Number(soft)
}

/** Limit of the control group (cgroup v2); null for none. */
async function memoryLimit(): Promise<number | null> {
  const group = /^0::(\/.*)$/m.exec((await readIfThere('/proc/self/cgroup')) ?? '')?.[1]
  if (group === undefined) return null
  const text = await readIfThere(`/sys/fs/cgroup${group}/memory.max`)
  return text !== undefined && /^\d+\s*$/.test(text) ? Number(text) : null
}

function readIfThere(path: string): Promise<string | undefined> {
  return ifExists(readFile(path, 'utf8'), 'EACCES')
}
