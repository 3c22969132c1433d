/** Look-ups that may have no record. */
import { LookupError } from './types.js'

/** @returns an empty list if there are none @throws LookupError for temporary failures */
export async function orNone<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof LookupError && error.failure !== 'temporary') return []
    throw error
  }
}
