/** What the submission server needs of the parts that it shares with other faces. */
import type { SignInOfPrograms } from '../accounts/sign-in/programs.js'
import type { Caller } from '../accounts/types.js'
import type { Clock } from '../lib/clock.js'
import type { Mailboxes } from '../mailbox/composition/mailboxes.js'
import type { TokenSasl } from '../smtp/oauth-bearer.js'
import type { Disk } from '../observe/disk.js'
import type { Log } from '../observe/log.js'
import type { Meter } from '../observe/metrics.js'

export interface SubmissionParts {
  signIn: SignInOfPrograms
  /** Access tokens, which AUTH takes; undefined: it takes none. */
  tokens?: TokenSasl | undefined
  /** Calls back when the caller's access ends, until released. */
  watch: (caller: Caller, onEnd: () => void) => { release: () => void }
  /** Limits of requests, which a message is one of. */
  rates: {
    /** @throws ServiceError `rate_limited` */
    countCaller: (caller: Caller) => unknown
    /** @param ms of a thread */
    chargeTime: (caller: Caller, ms: number) => void
  }
  mailboxes: {
    directory: Pick<Mailboxes['directory'], 'get'>
    sending: Pick<Mailboxes['sending'], 'submit' | 'checkRecipients'>
    reading: Pick<Mailboxes['reading'], 'message'>
  }
  disk?: Pick<Disk, 'isLow' | 'isReadable'> | undefined
  clock: Clock
  log: Log
  metrics?: Meter | undefined
}
