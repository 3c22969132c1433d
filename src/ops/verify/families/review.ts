/** Rows of the review list and its log. That what waits has its place there is asked of each message (mailboxes.ts). */
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
import type { Family, PartitionKind } from './family.js'

function list(name: ReviewListName): Family {
  return {
    value: 'mark',
    is: 'derived',
    async check(row, look) {
      look.count(name)
      const [, at, id] = row.parts
      const place = await look.json<ReviewPlace>(row.partition, placeKey(String(id)))
      if (place?.list !== name || place.at !== Number(at)) look.stray(row, `${String(id)} is not ${name} there`)
    },
  }
}

const review: PartitionKind = {
  name: 'review',
  match: /^(review)$/,
  families: {
    place: {
      value: 'json',
      is: 'derived',
      async check(row, look) {
        const id = String(row.parts[1])
        const { list: name, at, mailboxId } = decode<ReviewPlace>(row.value)
        if (name === null) return
        if (!isId('msg', id) || !(await look.get(mailboxPartition(mailboxId), messagePlaceKey(id))))
          return look.stray(row, `${id} is not there`)
        await look.present(row.partition, listedKey(name, at, id), EMPTY_VALUE, `${id} is ${name} and not listed`)
      },
    },
    held: list('held'),
    blocked: list('blocked'),
    counts: { value: 'json', is: 'derived' },
    log: { value: 'json', is: 'truth' },
    untold: {
      value: 'mark',
      is: 'derived',
      async check(row, look) {
        const id = String(row.parts[1])
        if (!(await look.get(row.partition, logKey(id)))) look.stray(row, `${id} is not in the log`)
      },
    },
  },
  async end(partition, _of, look) {
    const is: ReviewCounts = { held: look.counted('held'), blocked: look.counted('blocked') }
    const stored = await look.json<ReviewCounts>(partition, COUNTS)
    if (stored ? stored.held !== is.held || stored.blocked !== is.blocked : is.held + is.blocked > 0)
      await look.same(
        partition,
        COUNTS,
        encode(is),
        `${is.held} held and ${is.blocked} blocked are listed, and counted otherwise`,
      )
  },
}

export const reviewKinds: readonly PartitionKind[] = [review]
