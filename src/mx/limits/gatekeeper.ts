/** Checks at MAIL and RCPT: disk, session limits, blocklists, greylist. */
import { isIPv6 } from 'node:net'
import { clientNetwork, widerNetwork } from '../../lib/ip.js'
import type { Deliveries } from '../../mailbox/delivery/deliver.js'
import type { Disk } from '../../observe/disk.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import { replyCodes, type Refusal, type Reply } from '../../smtp/replies.js'
import type { Transaction } from '../../smtp/session.js'
import type { ClientLookup } from './client-lookups.js'
import type { Visitor } from './connections.js'
import type { Greylist } from './greylist.js'
import { DISK_LOW, GREYLISTED, listed, NOT_WANTED } from './refusals.js'

export interface GatekeeperDeps {
  log: Pick<Log, 'info'>
  metrics?: Metrics | undefined
  disk?: Pick<Disk, 'isLow'> | undefined
  /** Without `admission`, mailboxes have no lists. */
  mailboxes: { delivery: Partial<Pick<Deliveries, 'admission'>> }
  greylist?: Greylist | undefined
}

export type Gatekeeper = ReturnType<typeof createGatekeeper>

/** Listed senders must be able to ask why (RFC 5321 §4.5.1, RFC 6471 §2.3). */
export const ALWAYS_REACHABLE = /^(?:postmaster|abuse)@/i

export function createGatekeeper({ log, metrics, disk, mailboxes, greylist }: GatekeeperDeps) {
  const refused = metrics?.counter('mx_recipients_refused_total', 'Recipients that were refused, by the cause.', [
    'reason',
  ])

  return {
    async mail({ session, guarded }: Visitor): Promise<Refusal | undefined> {
      const refusal = (await disk?.isLow()) ? DISK_LOW : guarded.mail()
      if (refusal) {
        const line = { connection_id: session.id, client: session.clientAddress, reply: replyCodes(refusal) }
        log.info({ ...line, reason: refusal.reason }, refusal.text)
      }
      return refusal
    },
    /** @param address in ASCII @param mailboxId its mailbox */
    async recipientFound(
      { session, guarded, lookup }: Visitor & { lookup: ClientLookup },
      { from }: Transaction,
      address: string,
      mailboxId: string,
    ): Promise<Refusal | undefined> {
      if (ALWAYS_REACHABLE.test(address)) return undefined
      // The author is checked with the message; here only the reverse-path against the block list.
      const named = from === '' ? [] : [from]
      if (named.length > 0 && (await mailboxes.delivery.admission?.(mailboxId, { named })) === 'refused')
        return NOT_WANTED
      const ip = session.clientAddress
      const [zone] = await lookup.refusedBy()
      if (zone !== undefined) return listed(ip, zone)
      const network = isIPv6(ip) ? clientNetwork(ip) : widerNetwork(ip)
      if (greylist && !(await greylist.passes({ network, sender: from, recipient: address }))) return GREYLISTED
      guarded.recipientTaken()
      return undefined
    },
    recipientRefused: ({ reason = 'other' }: Reply): void => refused?.inc({ reason }),
  }
}
