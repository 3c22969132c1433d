/** Rows of the review list and its log. mailboxes.ts checks that each waiting message is listed. */
import { isId } from '../../../lib/ids.js'
import { EMPTY_VALUE, mailboxPartition, placeKey as messagePlaceKey } from '../../../mailbox/keys.js'
import {
  COUNTS,
  listedKey,
  logKey,
  placeKey,
  type ReviewCounts,
  type ReviewListName,
  type ReviewPlace,
} from '../../../mailbox/review/rows.js'
import { decode, encode } from '../../../store/keys.js'
import { derived, truth, type Family, type PartitionKind } from './family.js'

function list(name: ReviewListName): Family {
  return derived('mark', async (row, tools) => {
    tools.count(name)
    const [, at, id] = row.parts
    const place = await tools.json<ReviewPlace>(row.partition, placeKey(String(id)))
    if (place?.list !== name || place.at !== Number(at)) tools.stray(row, `${String(id)} is not ${name} there`)
  })
}

const review: PartitionKind = {
  name: 'review',
  match: /^(review)$/,
  families: {
    place: derived('json', async (row, tools) => {
      const id = String(row.parts[1])
      const { list: name, at, mailboxId } = decode<ReviewPlace>(row.value)
      if (name === null) return
      if (!isId('msg', id) || !(await tools.get(mailboxPartition(mailboxId), messagePlaceKey(id))))
        return tools.stray(row, `${id} is not there`)
      await tools.present(row.partition, listedKey(name, at, id), EMPTY_VALUE, `${id} is ${name} and not listed`)
    }),
    held: list('held'),
    blocked: list('blocked'),
    counts: derived('json'),
    log: truth('json'),
    untold: derived('mark', async (row, tools) => {
      const id = String(row.parts[1])
      if (!(await tools.get(row.partition, logKey(id)))) tools.stray(row, `${id} is not in the log`)
    }),
  },
  async end(partition, _of, tools) {
    const is: ReviewCounts = { held: tools.counted('held'), blocked: tools.counted('blocked') }
    const stored = await tools.json<ReviewCounts>(partition, COUNTS)
    if (stored ? stored.held !== is.held || stored.blocked !== is.blocked : is.held + is.blocked > 0)
      await tools.same(
        partition,
        COUNTS,
        encode(is),
        `${is.held} held and ${is.blocked} blocked are listed, and counted otherwise`,
      )
  },
}

export const reviewKinds: readonly PartitionKind[] = [review]
