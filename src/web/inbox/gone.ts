/** Errors of the mailbox in the words of the pages: those of the API name calls that nobody makes here. */
import { ServiceError } from '../../lib/errors.js'
import { PATHS } from '../page/person-frame.js'

/** @throws ServiceError `not_found` in place of the domain's */
export async function orGone<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new ServiceError(
      'not_found',
      'This mail is not here any more, or never was.',
      `It may have been deleted: the trash is at ${PATHS.inbox}?view=trash.`,
    )
  }
}
