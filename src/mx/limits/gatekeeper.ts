/** What the session guard, the blocklists and the greylist have to say at MAIL and RCPT. */
import type { SMTPServerSession } from 'smtp-server'
import { clientNetwork, unmapped, widerNetwork } from '../../lib/ip.js'
import { isIPv6 } from 'node:net'
import type { Disk } from '../../observe/disk.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import type { Connections } from './connections.js'
import type { Greylist } from './greylist.js'
import type { Mailboxes } from '../../mailbox/types.js'
import { DISK_LOW, GREYLISTED, listed, NOT_WANTED } from './refusals.js'
import { replyCodes } from '../../smtp/replies.js'
import type { Refusal, Reply } from '../../smtp/replies.js'
import type { Visits } from './client-lookups.js'

export interface GatekeeperDeps {
  connections: Pick<Connections, 'guarded'>
  visits: Visits
  log: Pick<Log, 'info'>
  metrics?: Metrics | undefined
  /** Without one there is always room. */
  disk?: Pick<Disk, 'isLow'> | undefined
  /** Without `admission` mailboxes have no lists. */
  mailboxes: Partial<Pick<Mailboxes, 'admission'>>
  /** Without one nobody has to come again. */
  greylist?: Greylist | undefined
}

export interface Gatekeeper {
  mail(session: SMTPServerSession): Promise<Refusal | undefined>
  /** Before the recipient is looked up. */
  recipientNamed(session: SMTPServerSession): Refusal | undefined
  /** There is no such mailbox; a refusal takes the place of saying so. */
  recipientUnknown(session: SMTPServerSession): Refusal | undefined
  /** @param address in ASCII @param mailboxId whose it is */
  recipientFound(session: SMTPServerSession, address: string, mailboxId: string): Promise<Refusal | undefined>
  /** The recipient is known to nobody but who was told of it. */
  recipientProven(session: SMTPServerSession): void
  /** Whatever the reason was. */
  recipientRefused(reply: Reply): void
}

/** Who is on a list has to be able to ask why (RFC 5321 §4.5.1, RFC 6471 §2.3). */
export const ALWAYS_REACHABLE = /^(?:postmaster|abuse)@/i

export function createGatekeeper({
  connections,
  visits,
  log,
  metrics,
  disk,
  mailboxes,
  greylist,
}: GatekeeperDeps): Gatekeeper {
  const refused = metrics?.counter('mx_recipients_refused_total', 'Recipients that were refused, by the cause.', [
    'reason',
  ])
  const guarded = (session: SMTPServerSession) => connections.guarded(session.id)

  async function hasToComeAgain(session: SMTPServerSession, recipient: string): Promise<boolean> {
    if (!greylist) return false
    const { mailFrom } = session.envelope
    const ip = unmapped(session.remoteAddress)
    const network = isIPv6(ip) ? clientNetwork(ip) : widerNetwork(ip)
    return !(await greylist.passes({ network, sender: mailFrom ? mailFrom.address : '', recipient }))
  }

  return {
    async mail(session) {
      const refusal = (await disk?.isLow()) ? DISK_LOW : guarded(session)?.mail()
      if (refusal)
        log.info(
          {
            connection_id: session.id,
            client: unmapped(session.remoteAddress),
            reply: replyCodes(refusal),
            reason: refusal.reason,
          },
          refusal.text,
        )
      return refusal
    },
    recipientNamed: (session) => guarded(session)?.recipientNamed(),
    recipientUnknown: (session) => guarded(session)?.recipientUnknown(),
    async recipientFound(session, address, mailboxId) {
      if (ALWAYS_REACHABLE.test(address)) return undefined
      // The author is not known yet, and looked at with the message: here it is the block list and the reverse-path.
      const { mailFrom } = session.envelope
      const named = mailFrom && mailFrom.address !== '' ? [mailFrom.address] : []
      if (named.length > 0 && (await mailboxes.admission?.(mailboxId, { named })) === 'refused') return NOT_WANTED
      const [zone] = await visits.refusedBy(session.id)
      if (zone !== undefined) return listed(unmapped(session.remoteAddress), zone)
      if (await hasToComeAgain(session, address)) return GREYLISTED
      guarded(session)?.recipientTaken()
      return undefined
    },
    recipientProven: (session) => guarded(session)?.recipientTaken(),
    recipientRefused: ({ reason = 'other' }) => refused?.inc({ reason }),
  }
}
