/** Verified custom domains in memory, for the check of every address. */

export interface Held {
  accountId: string
  /** False once lost: then nothing is sent or received for it. */
  isVerified: boolean
  /** Being removed: it gets no new addresses. */
  isLeaving?: boolean
}

/** By domain. Filled and updated by `OwnDomains`. */
export type HeldDomains = Map<string, Held>

/** The account that gets mail for a domain. */
export function verifiedOwner(held: HeldDomains, domain: string): string | undefined {
  const found = held.get(domain)
  return found?.isVerified === true ? found.accountId : undefined
}

/** The account that may have further addresses on a domain. */
export function ownerFor(held: HeldDomains, domain: string): string | undefined {
  return held.get(domain)?.isLeaving === true ? undefined : verifiedOwner(held, domain)
}
