/** Look-ups where no record is an answer like any other. */
import { LookupError } from './types.js'

/** @returns no records where there are none; throws what says nothing about the name */
export async function orNone<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof LookupError && error.failure !== 'temporary') return []
    throw error
  }
}
