/** Delivery status notifications requested by senders (RFC 3461): failures are refused in the session, success is reported on NOTIFY=SUCCESS (§4.1). */
import type { AuthenticationResults } from '../../authentication/types.js'
import type { Clock } from '../../lib/clock.js'
import { domainOf } from '../../mime/address.js'
import type { DeliveryNotice } from '../../mime/compose/delivery-notice.js'

export interface DsnRequest {
  envelopeId: string | undefined
  onSuccess: DeliveryNotice['recipients']
}

export interface NoticeQueue {
  /** Resolves once the notice is durable. */
  delivered(notice: DeliveryNotice): Promise<void>
}

/** `unverified`: the sender address may be forged, and the notice would reach a stranger. */
export type NoticeOutcome = 'queued' | 'unverified' | 'requires TLS' | 'failed' | undefined

/**
 * Queues the requested notice. None goes to the null sender, to a reverse-path without SPF pass, or about a message with REQUIRETLS (RFC 8689 §5), since its
 * way back can't promise TLS.
 */
export async function queueDeliveryNotice(
  { notices, clock }: { notices?: NoticeQueue | undefined; clock: Clock },
  envelope: { from: string; requireTls: boolean; dsn: DsnRequest },
  raw: Buffer,
  { spf }: Pick<AuthenticationResults, 'spf'>,
): Promise<NoticeOutcome> {
  const { envelopeId, onSuccess } = envelope.dsn
  if (!notices || onSuccess.length === 0 || envelope.from === '') return undefined
  if (envelope.requireTls) return 'requires TLS'
  if (spf.result !== 'pass' || spf.domain?.toLowerCase() !== domainOf(envelope.from)) return 'unverified'
  // The message is stored: a failed notice must not cause a second delivery.
  return notices.delivered({ to: envelope.from, envelopeId, recipients: onSuccess, raw, arrivedAt: clock.now() }).then(
    () => 'queued' as const,
    () => 'failed' as const,
  )
}
