/** Addresses that simulate outcomes: `bounce@simulator.DOMAIN`. Their mail goes the normal way up to the network and costs nothing. */
import type { Decision, GuardReason } from '../../guard/types.js'
import { addressKey, domainOf } from '../../mime/address.js'

const PREFIX = 'simulator.'

/** Outcome of each address, as shown to users. */
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

/** False if the domain is itself a local domain. */
export function isSimulatorDomain(domain: string, isLocalDomain: (domain: string) => boolean): boolean {
  return domain.startsWith(PREFIX) && isLocalDomain(domain.slice(PREFIX.length)) && !isLocalDomain(domain)
}

/** True for any name at a simulator's domain. */
export function isSimulatorAddress(address: string, isLocalDomain: (domain: string) => boolean): boolean {
  return isSimulatorDomain(domainOf(address), isLocalDomain)
}

/** Outcome simulated by an address (`bounce+run7@…` is `bounce@…`); undefined for unknown names. */
export function simulatedBy(address: string): Simulated | undefined {
  const name = addressKey(address).split('@')[0]?.split('+')[0] ?? ''
  return isSimulated(name) ? name : undefined
}

function isSimulated(name: string): name is Simulated {
  return Object.hasOwn(SIMULATED, name)
}

/** Decision requested by simulator recipients; the strictest one wins. */
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
