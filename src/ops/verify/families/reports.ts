/** Rows of received reports (reporting/received/keys.ts). */
import {
  dayRowKey,
  EMPTY_DAY,
  reportKey,
  ROWS_A_PIECE,
  rowsKey,
  type DayRow,
} from '../../../reporting/received/keys.js'
import type { KeptReport } from '../../../reporting/received/types.js'
import { decode, encode } from '../../../store/keys.js'
import { derived, truth, type PartitionKind } from './family.js'

const reports: PartitionKind = {
  name: 'reports of a day',
  match: /^reports\/(.+)$/,
  families: {
    day: derived('json'),
    report: truth('json', async ({ partition, value }, tools) => {
      const { id, rows } = decode<KeptReport>(value)
      tools.count('report')
      for (let piece = 0; piece * ROWS_A_PIECE < rows; piece++)
        if (!(await tools.get(partition, rowsKey(id, piece))))
          tools.report('content-missing', partition, `rows of ${id}, from ${piece * ROWS_A_PIECE} on`)
    }),
    rows: truth('json', async ({ partition, parts }, tools) => {
      const id = String(parts[1])
      if (!(await tools.get(partition, reportKey(id)))) tools.report('record-missing', partition, `rows of ${id}`)
    }),
  },
  async end(partition, _day, tools) {
    const is = tools.counted('report')
    if (is === 0) return
    // It limits the reports of a day; their reporters are not needed afterwards.
    const row = encode({ ...EMPTY_DAY, reports: is } satisfies DayRow)
    await tools.present(partition, dayRowKey, row, 'the day has no count')
  },
}

export const reportKinds: readonly PartitionKind[] = [reports]
