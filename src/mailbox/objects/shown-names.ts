/** Names as they leave the service. Within it and on disk, "" says that there is no name; outside of it null does. */
import type { Address as StoredAddress } from '../../mime/types.js'
import type { Address } from './objects.js'

export function shownText(text: string): string | null {
  return text === '' ? null : text
}

export function shownAddress({ address, name }: StoredAddress): Address {
  return { address, name: shownText(name) }
}
