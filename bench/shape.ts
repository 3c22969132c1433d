/**
 * What mail takes in PostgreSQL, by the shape of the mailboxes: 1,000 of them with 20 messages each, and 10 with 2,000 each; as many messages. Rows,
 * partitions, octets and the sizes of tables and indexes, before and after the mail. docs/cluster.md reckons with it.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request, solve } from '../test/support/agent.js'
import { startDaemon, type Daemon } from '../test/support/daemon.js'
import { startDnsServer } from '../test/support/peers/dns-server.js'
import { postgresPeer, startPostgres, type Postgres } from '../test/support/peers/postgres.js'
import { lengthOf } from './support/length.js'
import { startLoad, type Load } from './support/load.js'
import { SENDER_DOMAIN } from './support/messages.js'
import { table, type Row } from './support/table.js'

const SHAPES = [
  { mailboxes: lengthOf(1000, 10), each: lengthOf(20, 5) },
  { mailboxes: lengthOf(10, 1), each: lengthOf(2000, 50) },
]
const BODY_BYTES = 4096
const CONNECTIONS = 5
const CLAIMS_AT_ONCE = 8
/** Longer than what follows the mail, such as the index. */
const SETTLE_MS = lengthOf(15_000, 3_000)

/** What is in the database. Octets but for the counts. */
interface Sizes {
  rows: number
  partitions: number
  /** Of keys and values. */
  octets: number
  /** Tables and indexes of rows, versions and marks, as the load left them. */
  rowTable: number
  rowIndexes: number
  versionTable: number
  versionIndexes: number
  /** The first two again, written anew by VACUUM FULL: without what the load left behind. */
  compactTable: number
  compactIndexes: number
  byFamily: Map<string, { rows: number; octets: number; partitions: number }>
}

async function sizesOf(postgres: Postgres): Promise<Sizes> {
  const families = await postgres.sql(
    `select split_part(partition, '/', 1) as family, count(*)::int as rows, count(distinct partition)::int as partitions,
       sum(octet_length(key) + octet_length(value))::float8 as octets from restante_row group by 1 order by 1`,
  )
  const byFamily = new Map(
    families.map(({ family, rows, partitions, octets }) => [
      String(family),
      { rows: Number(rows), partitions: Number(partitions), octets: Number(octets) },
    ]),
  )
  const bytes = async (what: string, of: string): Promise<number> =>
    Number((await postgres.sql(`select ${what}('${of}')::float8 as bytes`))[0]?.['bytes'])
  const [rowTable, rowIndexes] = [
    await bytes('pg_table_size', 'restante_row'),
    await bytes('pg_indexes_size', 'restante_row'),
  ]
  const [versionTable, versionIndexes] = [
    await bytes('pg_table_size', 'restante_version'),
    await bytes('pg_indexes_size', 'restante_version'),
  ]
  await postgres.sql('vacuum full restante_row')
  const sum = (of: 'rows' | 'octets' | 'partitions'): number =>
    [...byFamily.values()].reduce((all, one) => all + one[of], 0)
  return {
    rows: sum('rows'),
    partitions: sum('partitions'),
    octets: sum('octets'),
    rowTable,
    rowIndexes,
    versionTable,
    versionIndexes,
    compactTable: await bytes('pg_table_size', 'restante_row'),
    compactIndexes: await bytes('pg_indexes_size', 'restante_row'),
    byFamily,
  }
}

/** Each claim comes from a network of its own: many from one would be slowed down. */
async function claimed(daemon: Daemon, name: string, n: number): Promise<string> {
  const from = { 'x-forwarded-for': `10.${Math.floor(n / 250)}.${n % 250}.1` }
  const { body: challenge } = await request(`${daemon.url}/v1/claim/challenge`, 'GET', undefined, from)
  const nonce = solve(challenge.challenge, challenge.difficulty)
  const claim = { challenge: challenge.challenge, nonce, name, agent_name: 'bench' }
  const { status, body } = await request(`${daemon.url}/v1/claim`, 'POST', claim, from)
  if (status !== 201) throw new Error(`claim: ${status} ${JSON.stringify(body)}`)
  const token = (await readFile(join(daemon.dataDir, 'secrets', 'admin_token'), 'utf8')).trim()
  const approved = await request(
    `${daemon.adminUrl}/claims/approve`,
    'POST',
    { address: body.address },
    { authorization: `Bearer ${token}` },
  )
  if (approved.status !== 200) throw new Error(`approve: ${approved.status} ${JSON.stringify(approved.body)}`)
  return body.address
}

async function claimAll(daemon: Daemon, count: number): Promise<string[]> {
  const addresses: string[] = []
  let next = 0
  const one = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) addresses[n] = await claimed(daemon, `shape${n}.agent`, n)
  }
  await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, one))
  return addresses
}

async function measured(load: Load, dns: string, shape: (typeof SHAPES)[number]): Promise<Row[]> {
  const postgres = await startPostgres()
  try {
    const daemon = await startDaemon({
      'store.url': postgres.url(),
      'server.dns': dns,
      'server.trusted_proxies': '127.0.0.1',
      'limits.claim_difficulty': '1',
    })
    try {
      const empty = await sizesOf(postgres)
      const addresses = await claimAll(daemon, shape.mailboxes)
      await pause(SETTLE_MS)
      const before = await sizesOf(postgres)
      for (const [n, to] of addresses.entries()) {
        await load.write({ seed: n + 1, messages: shape.each, bytes: BODY_BYTES, to })
        const { refused } = await load.pour({ port: daemon.smtpPort, connections: CONNECTIONS })
        if (Object.keys(refused).length > 0) throw new Error(JSON.stringify(refused))
      }
      await pause(SETTLE_MS)
      const after = await sizesOf(postgres)
      return rowsOf(shape, empty, before, after)
    } finally {
      await daemon.remove()
    }
  } finally {
    await postgres.stop()
  }
}

function rowsOf({ mailboxes, each }: (typeof SHAPES)[number], empty: Sizes, before: Sizes, after: Sizes): Row[] {
  const messages = mailboxes * each
  const shape = `${mailboxes} × ${each}`
  const kib = (octets: number): string => `${(octets / 1024).toFixed(2)} KiB`
  const families = [...after.byFamily]
    .map(([family, { rows, octets }]) => {
      const old = before.byFamily.get(family)
      return { family, rows: rows - (old?.rows ?? 0), octets: octets - (old?.octets ?? 0) }
    })
    .filter(({ rows }) => rows >= messages / 1000)
    .map(({ family, rows, octets }) => `${family} ${(rows / messages).toFixed(2)} (${kib(octets / messages)})`)
  return [
    {
      what: `${shape}: a claimed and approved mailbox`,
      value: `${((before.rows - empty.rows) / mailboxes).toFixed(1)} rows in ${((before.partitions - empty.partitions) / mailboxes).toFixed(1)} partitions`,
      beside: `${kib((before.octets - empty.octets) / mailboxes)} of keys and values`,
    },
    {
      what: `${shape}: rows of a message`,
      value: `${((after.rows - before.rows) / messages).toFixed(2)} rows, ${kib((after.octets - before.octets) / messages)}`,
      beside: families.join(', '),
    },
    {
      what: `${shape}: table and indexes of a message, as the load left them`,
      value: kib((after.rowTable - before.rowTable) / messages),
      beside: kib((after.rowIndexes - before.rowIndexes) / messages),
    },
    {
      what: `${shape}: the same, written anew`,
      value: kib((after.compactTable - before.compactTable) / messages),
      beside: kib((after.compactIndexes - before.compactIndexes) / messages),
    },
    {
      what: `${shape}: restante_version in all, as the load left it`,
      value: kib(after.versionTable),
      beside: kib(after.versionIndexes),
    },
  ]
}

export async function shape(): Promise<string> {
  const { skip } = await postgresPeer()
  if (skip !== false) return `## Shape\n\nSkipped: ${skip}.\n`
  const dns = await startDnsServer({ [SENDER_DOMAIN]: { TXT: ['v=spf1 ip4:127.0.0.0/8 -all'] } })
  const load = startLoad()
  try {
    const rows: Row[] = []
    for (const each of SHAPES) rows.push(...(await measured(load, dns.address, each)))
    return table('Shape: what mail takes in PostgreSQL', rows)
  } finally {
    await load.stop()
    await dns.close()
  }
}
