/** Which domains accounts have proven: in memory too, since every address that comes by asks for it. */

export interface Held {
  accountId: string
  /** Not any more when the proof was lost: then nothing is sent or received for it. */
  isVerified: boolean
  /** About to be removed: nobody gets a further address on it. */
  isLeaving?: boolean
}

/** By domain. Filled by `OwnDomains.open`, and kept by it. */
export type HeldDomains = Map<string, Held>

/** The account that mail for a domain is for. */
export function verifiedOwner(held: HeldDomains, domain: string): string | undefined {
  const found = held.get(domain)
  return found?.isVerified === true ? found.accountId : undefined
}

/** The account that may have further addresses on a domain. */
export function ownerFor(held: HeldDomains, domain: string): string | undefined {
  return held.get(domain)?.isLeaving === true ? undefined : verifiedOwner(held, domain)
}
