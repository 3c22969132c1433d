/** Rows that are kept for a time: receipts, greylist, policies and results of TLS, what the guard learnt, when sweeps ran. */
import { EMPTY_VALUE } from '../../../mailbox/keys.js'
import { placeOf } from '../../../receipts/keys.js'
import { unpackReceipt } from '../../../receipts/record.js'
import { decode, encode, key } from '../../../store/keys.js'
import { hex, type Look } from './look.js'
import type { PartitionKind } from './family.js'

/** One row counts the others; there may be none while nothing was ever counted. */
async function counter(partition: string, row: Uint8Array, name: string, look: Look): Promise<void> {
  const is = look.counted(name)
  const stored = await look.json<number>(partition, row)
  if ((stored ?? 0) !== is) await look.same(partition, row, encode(is), `${stored ?? 'none'} of ${is} rows are counted`)
}

const receipts: PartitionKind = {
  name: 'receipts of a day',
  match: /^receipts\/(.+)$/,
  families: {
    day: { value: 'json', is: 'passing' },
    r: {
      value: 'octets',
      is: 'truth',
      check({ partition, key: row, value }, { report }) {
        try {
          unpackReceipt(placeOf(row), value)
        } catch {
          report('unreadable', partition, `the receipt under ${hex(row)}`)
        }
      },
    },
  },
}

const greylist: PartitionKind = {
  name: 'greylist',
  match: /^greylist\/(\d+)$/,
  families: {
    e: {
      value: 'json',
      is: 'passing',
      async check({ partition, parts, value }, look) {
        look.count('e')
        const row = key('u', decode<{ until: number }>(value).until, String(parts[1]))
        await look.present(partition, row, encode(1), 'an entry would never end')
      },
    },
    u: {
      value: 'mark',
      is: 'derived',
      async check(row, look) {
        const [, until, hash] = row.parts
        const entry = await look.json<{ until: number }>(row.partition, key('e', String(hash)))
        if (entry?.until !== Number(until)) look.stray(row, 'no entry ends then')
      },
    },
    n: { value: 'json', is: 'derived' },
  },
  end: (partition, _of, look) => counter(partition, key('n'), 'e', look),
}

/** Results that are counted for the reports of a day (reporting/sent/daily-counts.ts); all of it goes with the day. */
const dailyCounts = (name: string, list: string): PartitionKind => ({
  name: `${name} of a day`,
  match: new RegExp(`^${list}/(.+)$`),
  families: {
    day: { value: 'json', is: 'derived' },
    domain: { value: 'json', is: 'passing', check: (_row, look) => look.count('domain') },
    row: { value: 'json', is: 'passing' },
    organisation: { value: 'json', is: 'passing' },
  },
  async end(partition, _day, look) {
    const is = look.counted('domain')
    if (is === 0) return
    await look.present(partition, key('day'), encode({ domains: is, reports: 0 }), 'the day has no count')
  },
})

const mtaSts: PartitionKind = {
  name: 'policies of MTA-STS',
  match: /^(mta-sts)$/,
  families: {
    policy: {
      value: 'json',
      is: 'passing',
      async check({ partition, parts, value }, look) {
        look.count('policy')
        const domain = String(parts[1])
        const { fetchedAt } = decode<{ fetchedAt: number }>(value)
        await look.present(partition, key('age', fetchedAt, domain), EMPTY_VALUE, `the policy of ${domain} has no age`)
      },
    },
    age: {
      value: 'mark',
      is: 'derived',
      async check(row, look) {
        const [, at, domain] = row.parts
        const kept = await look.json<{ fetchedAt: number }>(row.partition, key('policy', String(domain)))
        if (kept?.fetchedAt !== Number(at)) look.stray(row, `no policy of ${String(domain)} is so old`)
      },
    },
    count: { value: 'json', is: 'derived' },
  },
  end: (partition, _of, look) => counter(partition, key('count'), 'policy', look),
}

const guard: PartitionKind = {
  name: 'what the guard learnt',
  match: /^(guard)$/,
  families: { correction: { value: 'json', is: 'truth' }, lesson: { value: 'json', is: 'passing' } },
}

const sweeps: PartitionKind = {
  name: 'sweeps',
  match: /^(sweeps)$/,
  families: { sweep: { value: 'json', is: 'passing' }, due: { value: 'json', is: 'passing' } },
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
