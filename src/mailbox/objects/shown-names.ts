/** Names in API objects: null means no name; stored objects have "" instead. */
import type { Address as StoredAddress } from '../../mime/types.js'
import type { Address } from './objects.js'

export function shownText(text: string): string | null {
  return text === '' ? null : text
}

export function shownAddress({ address, name }: StoredAddress): Address {
  return { address, name: shownText(name) }
}
