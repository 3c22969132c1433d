/** What sessions need of the parts that they share with other faces. */
import type { SignInOfPrograms } from '../../accounts/sign-in/programs.js'
import type { Caller } from '../../accounts/types.js'
import type { Clock } from '../../lib/clock.js'
import type { Folders } from '../../mailbox/folders/folders.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { ParseLimits } from '../../mime/types.js'
import type { Importing } from '../../mailbox/importing/importing.js'
import type { Log } from '../../observe/log.js'
import type { ByteBudget } from '../wire/byte-budget.js'
import type { Searching } from '../searching/searching.js'
import type { TokenSasl } from '../../smtp/oauth-bearer.js'
import type { AccountSessions } from '../../smtp/server/account-sessions.js'

export interface ImapParts {
  signIn: SignInOfPrograms
  /** Access tokens, which AUTHENTICATE takes; undefined: it takes none. */
  tokens?: TokenSasl | undefined
  /** Calls back when the caller's access ends, until released. */
  watch: (caller: Caller, onEnd: () => void) => { release: () => void }
  /** Limits of requests, which the work of APPEND and SEARCH counts in; undefined: nothing is counted. */
  rates?:
    | {
        /** @throws ServiceError `rate_limited` once the caller is over a limit */
        check: (caller: Caller) => void
        chargeTime: (caller: Caller, ms: number) => void
      }
    | undefined
  onSignIn: (outcome: string) => void
  /** Sessions that are signed in, by account. */
  accounts: AccountSessions
  folders: Folders
  searching: Pick<Searching, 'search' | 'sort' | 'thread'>
  importing: Pick<Importing, 'prepareAll'>
  mailbox: (id: string) => Promise<MailboxRecord | undefined>
  /** Room of a mailbox in bytes, with what is used. */
  quota: (mailbox: MailboxRecord) => { used: number; limit: number }
  clock: Clock
  log: Log
  /** Memory for messages that are being appended, of all sessions. */
  memory: ByteBudget
  limits: {
    /** Of an appended message. */
    maxMessageBytes: number
    parse: ParseLimits
  }
}
