/** Ids of messages that place their relay tasks in the process that accepts them. */
import t from 'tap'
import { shardOf, SHARD_COUNT } from '../../src/cluster/shard-of.js'
import { isId } from '../../src/lib/ids.js'
import { ownMessageId, relayTaskId } from '../../src/mailbox/tasks.js'

const NOW = Date.UTC(2026, 10, 27)

/** A queue that owns these shards of the relay. */
function queueOf(shards: readonly number[]) {
  const asked: string[] = []
  return {
    asked,
    runs: (kind: string) => kind === 'relay' && shards.length > 0,
    isOwn(kind: string, id: string) {
      asked.push(id)
      return kind === 'relay' && shards.includes(shardOf(id, SHARD_COUNT))
    },
  }
}

const isHere = (shards: readonly number[], id: string, domain: string): boolean =>
  shards.includes(shardOf(relayTaskId(id, domain), SHARD_COUNT))

t.test('nearly all tasks of mail to one domain are where it was accepted', async (t) => {
  const shards = [1, 5, 9, 13]
  const queue = queueOf(shards)
  const ids = Array.from({ length: 500 }, () => ownMessageId(queue, ['ada@One.example', 'bob@one.example'], NOW))
  t.equal(new Set(ids).size, 500)
  t.ok(ids.every((id) => isId('msg', id)))
  const here = ids.filter((id) => isHere(shards, id, 'one.example')).length
  t.ok(here >= 475, `${here} of 500; 125 by chance`)
  t.ok(queue.asked.length <= 500 * 16, 'a bounded number of tries')
})

t.test('mail to many domains costs no more, and the first two count', async (t) => {
  const shards = [0, 1, 2, 3, 4, 5, 6, 7]
  const queue = queueOf(shards)
  const recipients = Array.from({ length: 1000 }, (_, n) => `a@d${n}.example`)
  const ids = Array.from({ length: 200 }, () => ownMessageId(queue, recipients, NOW))
  t.ok(queue.asked.length <= 200 * 16 * 2)
  const here = ids.filter((id) => isHere(shards, id, 'd0.example') && isHere(shards, id, 'd1.example')).length
  t.ok(here >= 180, `${here} of 200; 50 by chance`)
})

t.test('a process that relays nothing takes the first id, and so does one that relays all', async (t) => {
  const none = queueOf([])
  t.ok(isId('msg', ownMessageId(none, ['ada@one.example'], NOW)))
  t.equal(none.asked.length, 0)
  const all = queueOf(Array.from({ length: SHARD_COUNT }, (_, n) => n))
  ownMessageId(all, ['ada@one.example'], NOW)
  t.equal(all.asked.length, 1)
})
