/**
 * Every commit of a node checks the version of the node's own fence: a row that other nodes delete when they believe this one dead. So a node that was
 * stalled, cut off or wrongly believed dead commits nothing any more, whatever its clock says.
 */
import type { Engine } from '../store/engine.js'
import { UnreachableStoreError } from '../store/errors.js'

export interface Fence {
  partition: string
  version: bigint
}

/** @returns the engine with that check. @param onLost called once, when the fence is gone */
export function fenced(engine: Engine, fence: Fence, onLost: () => void) {
  let isLost = false

  function lose(): UnreachableStoreError {
    if (!isLost) onLost()
    isLost = true
    return new UnreachableStoreError('Other nodes have taken over the work of this one: it commits nothing any more')
  }

  const checked: Engine = {
    ...engine,
    async commit(checks, ops, mark) {
      if (isLost) throw lose()
      if (ops.length === 0) return engine.commit(checks, ops, mark)
      const done = await engine.commit([...checks, { partition: fence.partition, expect: fence.version }], ops, mark)
      if (done !== 'conflict') return done
      const [now] = await engine.versions([fence.partition])
      if (now !== fence.version) throw lose()
      return 'conflict'
    },
  }
  return { engine: checked, isLost: () => isLost }
}
