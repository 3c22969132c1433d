/** Memory of sessions of mail programs that wait: TLS, signed in, INBOX selected, IDLE; the same compressed. */
import { setTimeout as pause } from 'node:timers/promises'
import { readFile } from 'node:fs/promises'
import { residentKilobytes } from './processes/process.js'
import { openImap, type Account, type ImapClient } from './support/imap-client.js'
import type { ImapWorld } from './support/imap-world.js'
import { isShort, lengthOf } from './support/length.js'
import { table, type Row } from './support/table.js'

const SESSIONS = lengthOf(2000, 10, 'BENCH_SESSIONS')
/** Of Dovecot, whose sessions are processes. */
const PEER_SESSIONS = lengthOf(100, 5)
const AT_ONCE = 50
/** Until an idle daemon has given memory back that its start needed (lib/memory/young-space.ts). */
const SETTLED_MS = lengthOf(30_000, 50)

export async function idleSessions(world: ImapWorld): Promise<string> {
  const { daemon, dovecot } = world
  const accounts = world.accounts('searched')
  const rows: Row[] = []
  for (const how of ['TLS', 'TLS and COMPRESS'] as const) {
    if (!isShort) {
      await daemon.end('SIGTERM')
      await daemon.start()
    }
    // What the first session loads belongs to none.
    const first = await waiting(accounts.restante, how)
    const over = await memoryOf(accounts.restante, SESSIONS, how, () => residentKilobytes(daemon.pid()))
    first.close()
    const beside = await memoryOf(accounts.dovecot, PEER_SESSIONS, how, () => proportionalKilobytes(dovecot.pid))
    rows.push({
      what: `${SESSIONS.toLocaleString('en')} sessions with ${how}`,
      value: `${(over / 1024).toFixed(1)} MiB, ${(over / SESSIONS).toFixed(1)} KB each`,
      beside: `${(beside / PEER_SESSIONS).toFixed(0)} KB each, of ${PEER_SESSIONS}`,
    })
  }
  return table('Mail programs that wait: memory over idle, compared with Dovecot', rows)
}

/** @returns kilobytes that so many sessions take */
async function memoryOf(account: Account, count: number, how: string, measure: () => Promise<number>): Promise<number> {
  await pause(SETTLED_MS)
  const before = await measure()
  const sessions: ImapClient[] = []
  try {
    for (let n = 0; n < count; n += AT_ONCE)
      sessions.push(
        ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, () => waiting(account, how)))),
      )
    await pause(SETTLED_MS)
    return (await measure()) - before
  } finally {
    for (const session of sessions) session.close()
  }
}

async function waiting(account: Account, how: string): Promise<ImapClient> {
  const client = await openImap(account)
  if (how.endsWith('COMPRESS')) await client.compress()
  await client.ask('SELECT INBOX')
  client.send('IDLE')
  await client.until('+ ')
  return client
}

/** Of a process and its children; pages that several have are counted once. */
async function proportionalKilobytes(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean)
  let sum = 0
  for (const each of [String(pid), ...children])
    sum += Number(/^Pss:\s+(\d+)/m.exec(await readFile(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1])
  return sum
}
