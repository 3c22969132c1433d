import t from 'tap'
import { createFolderWatch, type FolderMoment } from '../../../src/mailbox/folders/watch.js'
import { foldersPartition, mailboxPartition } from '../../../src/mailbox/keys.js'
import { createCommitListeners } from '../../../src/store/commit-listeners.js'

/** A store of which only commits are known. */
function fixture() {
  const listeners = createCommitListeners()
  const followed = new Set<() => Iterable<string>>()
  const versions = new Map<string, bigint>()
  const commit = (partition: string): void => {
    const version = (versions.get(partition) ?? 0n) + 1n
    versions.set(partition, version)
    listeners.tell(partition, version)
  }
  const looks: { mailboxId: string; end: (problem?: Error) => void }[] = []
  const watch = createFolderWatch(
    {
      onCommit: listeners.add,
      follow: (partitions) => {
        followed.add(partitions)
        return () => void followed.delete(partitions)
      },
    },
    (mailboxId) =>
      new Promise<FolderMoment>((resolve, reject) => {
        const mailbox = versions.get(mailboxPartition(mailboxId)) ?? 0n
        looks.push({
          mailboxId,
          end: (problem) =>
            problem ? reject(problem) : resolve({ mailbox, index: versions.get(foldersPartition(mailboxId)) ?? 0n }),
        })
      }),
  )
  const end = async (problem?: Error): Promise<void> => {
    looks.shift()?.end(problem)
    await settled()
  }
  return { ...watch, commit, looks, end, followedNow: () => [...followed].flatMap((each) => [...each()]).sort() }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function counter() {
  const watcher = { count: 0, changed: () => void watcher.count++ }
  return watcher
}

t.test('a commit is one look for all who wait at a mailbox, and tells each', async (t) => {
  const f = fixture()
  const [one, two, other] = [counter(), counter(), counter()]
  f.watch('a', one)
  f.watch('a', two)
  f.watch('b', other)
  t.same(f.followedNow(), [...['a', 'b'].map(foldersPartition), ...['a', 'b'].map(mailboxPartition)].sort())
  f.commit(mailboxPartition('a'))
  t.equal(f.looks.length, 1)
  await f.end()
  t.same([one.count, two.count, other.count], [1, 1, 0])
})

t.test('the index that is brought up to a change is not another change; one meanwhile is', async (t) => {
  const f = fixture()
  const one = counter()
  f.watch('a', one)
  f.commit(mailboxPartition('a'))
  // Written by the look itself.
  f.commit(foldersPartition('a'))
  t.equal(f.looks.length, 1, 'one look at a time')
  await f.end()
  t.equal(one.count, 1)
  t.equal(f.looks.length, 1, 'it looks again')
  await f.end()
  t.equal(one.count, 1)
  f.commit(mailboxPartition('a'))
  f.commit(mailboxPartition('a'))
  await f.end()
  await f.end()
  t.equal(one.count, 3, 'the second came after the look of the first had begun')
})

t.test('who leaves is told nothing, and after the last nothing is followed', async (t) => {
  const f = fixture()
  const [one, two] = [counter(), counter()]
  f.watch('a', one)
  f.watch('a', two)
  f.commit(mailboxPartition('a'))
  f.unwatch('a', one)
  await f.end()
  t.same([one.count, two.count], [0, 1])
  f.unwatch('a', two)
  f.unwatch('a', two)
  t.same(f.followedNow(), [])
  f.commit(mailboxPartition('a'))
  t.equal(f.looks.length, 0)
  f.watch('a', one)
  f.commit(mailboxPartition('a'))
  await f.end()
  t.equal(one.count, 1, 'it goes on with the next')
})

t.test('a look that fails wakes all, who meet the failure themselves', async (t) => {
  const f = fixture()
  const one = counter()
  f.watch('a', one)
  f.commit(mailboxPartition('a'))
  await f.end(new Error('the store is away'))
  t.equal(one.count, 1)
  f.commit(mailboxPartition('a'))
  await f.end()
  t.equal(one.count, 2)
})
