/** Reasons of the guard as list items, for the pages of owners and staff alike. */
import type { GuardReason } from '../../guard/types.js'
import type { AbuseClass } from '../../guard/reason-codes.js'
import { html, type Html } from './html.js'
import { plain } from './words.js'

const CLASS_NAMES: Record<AbuseClass, string> = {
  credentials: 'theft of credentials',
  bec: 'business mail fraud',
  'gift-cards': 'gift card fraud',
  'advance-fee': 'advance fee fraud',
  romance: 'romance fraud',
  crypto: 'crypto fraud',
  jobs: 'job fraud',
  extortion: 'extortion',
  malware: 'malware',
  marketplace: 'marketplace fraud',
  parcels: 'parcel or toll fraud',
  orders: 'orders to machines',
  harassment: 'harassment',
  bulk: 'bulk mail',
}

/** What the abuse is after, in words; a class of another version as it is stored. */
export function className(name: string): string {
  return isClass(name) ? CLASS_NAMES[name] : plain(name)
}

function isClass(name: string): name is AbuseClass {
  return Object.hasOwn(CLASS_NAMES, name)
}

/** @param before stands in front of the evidence, such as the code */
export function reasonItem({ detail, class: of }: Pick<GuardReason, 'detail' | 'class'>, before?: Html): Html {
  return html`<li>
    ${before} <bdi>${plain(detail)}</bdi>${of !== undefined && html` <span class="small">(${className(of)})</span>`}
  </li>`
}
