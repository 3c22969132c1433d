/** What a node knows of the others by its heartbeats. */
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { joinCluster, type Cluster } from '../../src/cluster/cluster.js'
import { join as joinMembers } from '../../src/cluster/members.js'
import type { Member } from '../../src/cluster/rows.js'
import type { Engine } from '../../src/store/engine.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'

const nodeOf = (id: string): Member => ({
  id,
  instance: id,
  name: id,
  host: 'here',
  pid: 1,
  version: '1',
  knows: 9,
  roles: [],
  blobs: '',
  since: 0,
})

function join(t: Test, engine: Engine, id: string): Promise<Cluster> {
  return joinCluster({
    engine: { ...engine, close: async () => undefined },
    me: nodeOf(id),
    signal: new AbortController().signal,
    onTwin: () => undefined,
    onMembers: () => undefined,
    onDead: () => undefined,
    onError: (error) => t.fail(String(error)),
    onLost: () => undefined,
  })
}

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await pause(50)
}

t.test('a node knows since when it is alone, each time anew', async (t) => {
  const engine = memoryEngine({ conflicts: 0 })
  const first = await join(t, engine, 'first')
  await until(() => first.soleSince() !== undefined)
  const since = first.soleSince()
  const second = await join(t, engine, 'second')
  t.equal(first.soleSince(), undefined, 'before the other commits anything')
  t.equal(second.soleSince(), undefined)
  t.match(first.others(), [{ id: 'second' }])
  await second.engine.close()
  await until(() => first.soleSince() !== undefined)
  t.not(first.soleSince(), since)
  await first.engine.close()
})

t.test('a node that died with all others is taken out before the first one begins', async (t) => {
  const engine = memoryEngine({ conflicts: 0 })
  const signal = new AbortController().signal
  await joinMembers({ store: createStore(engine), me: nodeOf('dead'), signal, onTwin: () => undefined })
  const first = await join(t, engine, 'first')
  t.same(first.others(), [])
  await first.engine.close()
})
