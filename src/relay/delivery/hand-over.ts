/** Hands one message over to its recipients of one domain: locally, or to the next server. */
import type { Signer } from '../../authentication/types.js'
import type { LocalDelivery as LocalCopy } from '../../mailbox/delivery/deliver.js'
import type { OutboundMessage } from '../../mailbox/sending/outbound-mail.js'
import { domainOf } from '../../mime/address.js'
import type { Transaction } from '../../store/types.js'
import { ATTEMPT_MS, type Deliverer } from './delivery.js'
import type { DestinationState } from './destinations.js'
import type { LocalDelivery } from './local.js'
import { sameForAll, type Outcome, type Outcomes } from '../outcome.js'
import type { Routing } from '../routing/routes.js'
import type { Simulator } from './simulator.js'
import type { Slot } from './slots.js'
import { tlsNeeds } from '../routing/tls-needs.js'
import { deliverAll, transactionsOf, type ReturnPathFor } from './transactions.js'

export interface HandOverDeps {
  routing: Routing
  deliverer: Deliverer
  local: Pick<LocalDelivery, 'isFor' | 'prepare'>
  signer: Signer
  /** Envelope sender of a message for these recipients of one domain; its author's address by default. */
  returnPath?: ReturnPathFor | undefined
  /** Time for one delivery in ms, after which it is cut; half an hour by default. */
  attemptMs?: number | undefined
  simulator?: Pick<Simulator, 'isFor' | 'outcomes'> | undefined
  outbound: boolean
}

export interface HandedOver {
  /** Recipients with an outcome: all, unless cut. */
  outcomes: Outcomes
  host?: string
  tls?: boolean
  /** Undefined for local delivery. */
  destination?: DestinationState | undefined
  deliveries?: LocalCopy[]
  /** Queues follow-up work in the transaction that records the outcomes. */
  follow?: ((tx: Transaction) => void) | undefined
}

export type HandOver = ReturnType<typeof createHandOver>

const NO_OUTBOUND: Outcome = {
  kind: 'failed',
  smtpCode: null,
  detail: '5.7.1 this server delivers only to its own mailboxes; relay.outbound or relay.smarthost would change that',
}

export function createHandOver(deps: HandOverDeps) {
  const { routing, deliverer, local } = deps
  /** Delivers a message to its recipients of one domain; `waitFor` names the host whose slots are all taken. */
  async function deliver(
    outbound: OutboundMessage,
    domain: string,
    recipients: string[],
    slot: Slot,
  ): Promise<HandedOver | { waitFor: string }> {
    const { message, raw, hasNullSender = false } = outbound
    const from = message.from?.address
    if (from === undefined) throw new Error(`${message.id} has no sender`)
    const simulated = deps.simulator?.outcomes(message, domain, recipients)
    if (simulated) return simulated
    if (local.isFor(domain)) {
      const others = message.recipients.map(({ address }) => domainOf(address)).filter((other) => other !== domain)
      const isForOthersHere = others.some((other) => local.isFor(other))
      const mail = {
        messageId: message.id,
        from: hasNullSender ? '' : from,
        recipients,
        raw,
        requireTls: message.require_tls,
      }
      return local.prepare({ ...mail, isForOthersHere })
    }
    if (!deps.outbound) return { outcomes: sameForAll(recipients, NO_OUTBOUND) }
    const needs = tlsNeeds(message, raw)
    const route = await routing.find(domain, needs)
    if (route.kind !== 'targets') {
      const destination = route.kind === 'deferred' ? 'unreachable' : 'fine'
      return { outcomes: sameForAll(recipients, route), destination }
    }
    const full = slot.goesTo(route.targets[0]?.host ?? domain)
    if (full) return full
    const mail = { raw: await deps.signer.sign(raw, domainOf(from)), requireTls: needs.requireTls }
    const mails = transactionsOf(outbound, recipients, mail, hasNullSender ? () => '' : deps.returnPath)
    const maxMs = deps.attemptMs ?? ATTEMPT_MS
    const { outcomes, host, encrypted, destination } = await deliverAll(deliverer, route.targets, mails, maxMs)
    // A host that can't meet the sender's TLS demands is not failing for other mail; and success of mail that takes any TLS proves nothing for mail that waits
    // for a policy.
    const saysNothing = needs.anyTls ? destination === 'fine' && slot.isProbe : destination === 'unreachable'
    const tells = (needs.anyTls || needs.requireTls) && saysNothing ? undefined : destination
    return { outcomes, host, tls: encrypted, destination: tells }
  }
  return {
    deliver,
    /** True for a domain whose mail does not leave this server. */
    staysHere: (domain: string): boolean => local.isFor(domain) || deps.simulator?.isFor(domain) === true,
  }
}
