/** Addresses, times, files and reasons as answers show them. */
import type { GuardReason } from '../../../guard/types.js'
import type { Address } from '../../../mailbox/objects/objects.js'
import type { Fence } from './fence.js'

/** `Name <address>`, or the address alone. */
export function person(fence: Fence, { address, name }: Address): string {
  // Cleaned again as a whole: the parts may combine with our brackets.
  return fence.inline(name ? `${fence.inline(name, 80)} <${address}>` : address, 200)
}

export function toTheSecond(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z')
}

/** The first people, and how many more there are. */
export function firstPeople(fence: Fence, list: readonly Address[], count: number): string[] {
  const shown = list.slice(0, count).map((each) => person(fence, each))
  return list.length <= count ? shown : [...shown, `and ${list.length - count} more`]
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The code of a reason, and the class of abuse that it is a sign of. */
export function reasonName({ code, class: of }: Pick<GuardReason, 'code' | 'class'>): string {
  return of === undefined ? code : `${code} (${of})`
}
