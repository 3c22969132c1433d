/**
 * Versions: milliseconds since the epoch, and 21 bits of chance. Each is greater than the one before of this process, and than those that a commit
 * expects; a partition never gets one twice, whatever the clocks say, since all of its versions only grow.
 */
import { randomInt } from 'node:crypto'
import type { Clock } from '../../../lib/clock.js'

const RANDOM_BITS = 21n
/** A version is a `bigint` of PostgreSQL. */
export const MAX_STAMP = 2n ** 63n - 1n

/** @returns a function that makes a stamp past `floor` */
export function createStamps(clock: Clock): (floor: bigint) => bigint {
  let last = 0n
  return (floor) => {
    const now = (BigInt(clock.now()) << RANDOM_BITS) | BigInt(randomInt(2 ** Number(RANDOM_BITS)))
    const least = floor > last ? floor : last
    last = now > least ? now : least + 1n
    return last
  }
}
