/** Rows of the audit log (audit/keys.ts). */
import { DAYS_PARTITION, dayKey, dayRowKey, EMPTY_DAY } from '../../audit/keys.js'
import type { DayRow } from '../../audit/keys.js'
import { EMPTY_VALUE } from '../../mailbox/keys.js'
import { encode } from '../../store/keys.js'
import type { PartitionKind } from '../family.js'

const days: PartitionKind = {
  name: 'days of the audit log',
  match: /^(audit)$/,
  families: { day: { value: 'mark', is: 'derived' } },
}

const entries: PartitionKind = {
  name: 'audit log of a day',
  match: /^audit\/(.+)$/,
  families: {
    day: { value: 'json', is: 'derived' },
    // Bounds how much one account can leave in a day.
    made: { value: 'json', is: 'passing' },
    entry: {
      value: 'json',
      is: 'truth',
      check: (_row, look) => look.count('entry'),
    },
  },
  async end(partition, day, look) {
    const is = look.counted('entry')
    if (is > 0) {
      const listed = `${day} is not listed, and its entries would never end`
      await look.present(DAYS_PARTITION, dayKey(day), EMPTY_VALUE, listed)
    }
    const row = await look.json<DayRow>(partition, dayRowKey)
    if ((row?.kept ?? 0) === is) return
    const mended = encode({ ...EMPTY_DAY, ...row, kept: is } satisfies DayRow)
    await look.same(partition, dayRowKey, mended, `${row?.kept ?? 'none'} of ${is} entries are counted`)
  },
}

export const auditKinds: readonly PartitionKind[] = [days, entries]
