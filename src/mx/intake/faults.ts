/** The reply to an internal fault: the sender retries. RFC 3463 §3.4: 4.3.1 is a full disk of the mail system. A database that is away is another fault. */
import { INTERNAL, STORAGE_FAILED, type Reply } from '../../smtp/replies.js'
import { isStorageError, isUnreachable } from '../../store/errors.js'

export function replyToFault(error: unknown): Reply {
  return isStorageError(error) && !isUnreachable(error) ? STORAGE_FAILED : INTERNAL
}
