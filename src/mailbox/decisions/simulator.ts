/**
 * Addresses that make an outcome happen, for agents that try themselves out: `bounce@simulator.DOMAIN` for each local domain. Mail to them takes the
 * real way (check, relay, events) up to the network and costs nothing: no new recipient, no reputation, no suppression.
 */
import type { Decision, GuardReason } from '../../guard/types.js'
import { addressKey, domainOf } from '../../mime/address.js'

const PREFIX = 'simulator.'

/** What each address does, in words for those who meet an unknown one. */
export const SIMULATED = {
  delivered: 'delivered at once',
  bounce: 'bounced at once, 550 5.1.1',
  defer: 'deferred once with 451, delivered with the next try',
  'defer-forever': 'deferred with 451 each time, bounced when the retries end',
  complaint: 'delivered, and complained of a moment later',
  'late-bounce': 'delivered, and bounced a moment later',
  hold: 'held by the check',
  block: 'blocked by the check',
} as const

export type Simulated = keyof typeof SIMULATED

/** Whether it is a simulator's domain; one that is a local domain of its own is none. */
export function isSimulatorDomain(domain: string, isLocalDomain: (domain: string) => boolean): boolean {
  return domain.startsWith(PREFIX) && isLocalDomain(domain.slice(PREFIX.length)) && !isLocalDomain(domain)
}

/** Whether mail to this address stays within the simulator, whatever its name and tag. */
export function isSimulatorAddress(address: string, isLocalDomain: (domain: string) => boolean): boolean {
  return isSimulatorDomain(domainOf(address), isLocalDomain)
}

/** What a simulator address does (`bounce+run7@…` is `bounce@…`); undefined when there is no such name. */
export function simulatedBy(address: string): Simulated | undefined {
  const name = addressKey(address).split('@')[0]?.split('+')[0] ?? ''
  return isSimulated(name) ? name : undefined
}

function isSimulated(name: string): name is Simulated {
  return Object.hasOwn(SIMULATED, name)
}

/** What the check has to decide because of a simulator address among the recipients; the stricter one when there are two. */
export function simulatedDecision(
  addresses: string[],
  isLocalDomain: (domain: string) => boolean,
): { decision: Exclude<Decision, 'send'>; reason: GuardReason } | undefined {
  const asked = addresses.filter((address) => isSimulatorAddress(address, isLocalDomain)).map(simulatedBy)
  const decision = asked.includes('block') ? 'block' : asked.includes('hold') ? 'hold' : undefined
  return (
    decision && {
      decision,
      reason: {
        code: 'simulator',
        detail: `A recipient is ${decision}@ at the simulator, which asks for this decision`,
      },
    }
  )
}
