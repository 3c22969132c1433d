/** HTTP challenges in a store of their own. */
import { createHttpChallenges, type OpenChallenges } from '../../src/certificates/challenges.js'
import { systemClock } from '../../src/lib/clock.js'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from './store/memory-engine.js'

export function ownChallenges(): OpenChallenges {
  return createHttpChallenges({ store: createStore(memoryEngine()), clock: systemClock })
}
