/** Temporary rows: receipts, greylist, policies and results of TLS, corrections of the guard, times of sweeps. */
import { EMPTY_VALUE } from '../../../mailbox/keys.js'
import { placeOf } from '../../../receipts/keys.js'
import { unpackReceipt } from '../../../receipts/record.js'
import { decode, encode, key } from '../../../store/keys.js'
import { hex, type RowTools } from './row-tools.js'
import { derived, passing, truth, type PartitionKind } from './family.js'

/** A row that counts the others; it may be missing before the first one. */
async function counter(partition: string, row: Uint8Array, name: string, tools: RowTools): Promise<void> {
  const is = tools.counted(name)
  const stored = await tools.json<number>(partition, row)
  if ((stored ?? 0) !== is)
    await tools.same(partition, row, encode(is), `${stored ?? 'none'} of ${is} rows are counted`)
}

const receipts: PartitionKind = {
  name: 'receipts of a day',
  match: /^receipts\/(.+)$/,
  families: {
    day: passing('json'),
    r: truth('octets', ({ partition, key: row, value }, { report }) => {
      try {
        unpackReceipt(placeOf(row), value)
      } catch {
        report('unreadable', partition, `the receipt under ${hex(row)}`)
      }
    }),
  },
}

const greylist: PartitionKind = {
  name: 'greylist',
  match: /^greylist\/(\d+)$/,
  families: {
    e: passing('json', async ({ partition, parts, value }, tools) => {
      tools.count('e')
      const row = key('u', decode<{ until: number }>(value).until, String(parts[1]))
      await tools.present(partition, row, encode(1), 'an entry would never expire')
    }),
    u: derived('mark', async (row, tools) => {
      const [, until, hash] = row.parts
      const entry = await tools.json<{ until: number }>(row.partition, key('e', String(hash)))
      if (entry?.until !== Number(until)) tools.stray(row, 'no entry expires then')
    }),
    n: derived('json'),
  },
  end: (partition, _of, tools) => counter(partition, key('n'), 'e', tools),
}

/** Results counted for the reports of a day (reporting/sent/daily-counts.ts), deleted with the day. */
const dailyCounts = (name: string, list: string): PartitionKind => ({
  name: `${name} of a day`,
  match: new RegExp(`^${list}/(.+)$`),
  families: {
    day: derived('json'),
    domain: passing('json', (_row, tools) => tools.count('domain')),
    row: passing('json'),
    organisation: passing('json'),
  },
  async end(partition, _day, tools) {
    const is = tools.counted('domain')
    if (is === 0) return
    await tools.present(partition, key('day'), encode({ domains: is, reports: 0 }), 'the day has no count')
  },
})

const mtaSts: PartitionKind = {
  name: 'policies of MTA-STS',
  match: /^(mta-sts)$/,
  families: {
    policy: passing('json', async ({ partition, parts, value }, tools) => {
      tools.count('policy')
      const domain = String(parts[1])
      const { fetchedAt } = decode<{ fetchedAt: number }>(value)
      await tools.present(
        partition,
        key('age', fetchedAt, domain),
        EMPTY_VALUE,
        `the policy of ${domain} is not in the list by age`,
      )
    }),
    age: derived('mark', async (row, tools) => {
      const [, at, domain] = row.parts
      const kept = await tools.json<{ fetchedAt: number }>(row.partition, key('policy', String(domain)))
      if (kept?.fetchedAt !== Number(at)) tools.stray(row, `no policy of ${String(domain)} is so old`)
    }),
    count: derived('json'),
  },
  end: (partition, _of, tools) => counter(partition, key('count'), 'policy', tools),
}

const guard: PartitionKind = {
  name: 'what the guard learnt',
  match: /^(guard)$/,
  families: { correction: truth('json'), lesson: passing('json') },
}

const sweeps: PartitionKind = {
  name: 'sweeps',
  match: /^(sweeps)$/,
  families: { sweep: passing('json'), due: passing('json') },
}

export const counterKinds: readonly PartitionKind[] = [
  receipts,
  greylist,
  dailyCounts('results of TLS', 'tls-results'),
  dailyCounts('results of DMARC', 'dmarc-results'),
  mtaSts,
  guard,
  sweeps,
]
