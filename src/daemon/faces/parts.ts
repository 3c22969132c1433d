/** Parts used by the public HTTP server and the admin listener. */
import type { Driver } from '../../http/listener/types.js'
import type { Removal } from '../../lifecycle/deletion/mailbox-removal.js'
import type { Deletion } from '../../lifecycle/deletion/types.js'
import type { Exports } from '../../lifecycle/export/exports.js'
import type { Reviewing } from '../../mailbox/review/review.js'
import type { Disk } from '../../observe/disk.js'
import type { Backups } from '../../ops/backup/backups.js'
import type { WebhookService } from '../../webhooks/service.js'
import type { AccountServices } from '../layers/account-services.js'
import type { CertificateParts } from '../parts/certificates.js'
import type { Ground } from '../layers/ground.js'
import type { BuiltGuard } from '../layers/guard.js'
import type { MailServices } from '../layers/mail-services.js'
import type { Outbound } from '../layers/outbound.js'

/** The layers below, each built by a file of its own. */
export interface Layers {
  ground: Ground
  people: AccountServices
  mail: MailServices
  outbound: Outbound
}

/** Parts that only the faces need. */
export interface FacesParts {
  version: string
  driver: Driver
  disk: Disk
  guard: BuiltGuard
  exports: Exports
  deletion: Deletion
  removal: Removal
  reviewing: Reviewing
  webhooks: WebhookService
  backups: Backups
  tls: CertificateParts
  reload: () => Promise<void>
}
