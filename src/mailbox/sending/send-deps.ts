import type { Accounts } from '../../accounts/types.js'
import type { Guard } from '../../guard/types.js'
import type { Clock } from '../../lib/clock.js'
import type { ParseLimits } from '../../mime/types.js'
import type { Log } from '../../observe/log.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Blobs, Store } from '../../store/types.js'
import type { OnDecision } from '../decisions/decision.js'
import type { MailWork } from '../mail-work/mail-work.js'
import type { RoomLimits } from '../quota.js'
import type { RawStore } from '../raw.js'
import type { RecentBodies } from '../recent-bodies.js'
import type { OwnDomainLookUp } from './verified-sender.js'

export interface SendLimits extends RoomLimits {
  recipientsPerMessage: number
  /** Includes the files that a forward copies from the original. */
  attachmentsPerMessage: number
  /** Max encoded size of a whole message. */
  messageBytes: number
  /** Time within which a retry gets the first answer. */
  idempotencyMs: number
}

export interface SendDeps {
  store: Store
  /** @throws ServiceError `unavailable` */
  mayAskApproval: () => Promise<void>
  contents: {
    blobs: Pick<Blobs, 'stream' | 'put' | 'delete'>
    raws: RawStore
    bodies: RecentBodies
  }
  queue: WorkQueue
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'countMessage' | 'previewRecipients' | 'countWithin'>
  guard: Guard
  log: Pick<Log, 'warn'>
  limits: SendLimits
  composing: { work: MailWork; parseLimits: ParseLimits }
  domains: { isLocal: (domain: string) => boolean; own?: OwnDomainLookUp | undefined }
  onDecision: OnDecision
}
