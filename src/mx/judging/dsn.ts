/**
 * What a sender asked of delivery status notifications (RFC 3461). Mail ends here: a delivery that fails is refused in the session, and the
 * client tells its sender; a delivery that is made is told by us when the sender asked for that with NOTIFY=SUCCESS (§4.1).
 */
import type { AuthenticationResults } from '../../authentication/types.js'
import type { Clock } from '../../lib/clock.js'
import { domainOf } from '../../mime/address.js'
import type { DeliveryNotice } from '../../mime/compose/delivery-notice.js'

export interface DsnRequest {
  envelopeId: string | undefined
  /** Recipients with NOTIFY=SUCCESS. */
  onSuccess: DeliveryNotice['recipients']
}

export interface NoticeQueue {
  /** Resolves when the notice is sure to be sent. */
  delivered(notice: DeliveryNotice): Promise<void>
}

/** `unverified`: a notice to an address that anybody may have written would be a way to send mail to strangers. */
export type NoticeOutcome = 'queued' | 'unverified' | 'requires TLS' | 'failed' | undefined

/**
 * Queues the notice the sender asked for. None goes to the null sender, none to a reverse-path whose domain did not vouch for the client
 * (SPF pass), and none about a message that was to travel under TLS alone (RFC 8689 §5), since its way back can't promise that.
 */
export async function tellOfDelivery(
  { notices, clock }: { notices?: NoticeQueue | undefined; clock: Clock },
  envelope: { from: string; requireTls: boolean; dsn: DsnRequest },
  raw: Buffer,
  { spf }: Pick<AuthenticationResults, 'spf'>,
): Promise<NoticeOutcome> {
  const { envelopeId, onSuccess } = envelope.dsn
  if (!notices || onSuccess.length === 0 || envelope.from === '') return undefined
  if (envelope.requireTls) return 'requires TLS'
  if (spf.result !== 'pass' || spf.domain?.toLowerCase() !== domainOf(envelope.from)) return 'unverified'
  // The message is stored: that its notice can't be must not bring it a second time.
  return notices.delivered({ to: envelope.from, envelopeId, recipients: onSuccess, raw, arrivedAt: clock.now() }).then(
    () => 'queued' as const,
    () => 'failed' as const,
  )
}
