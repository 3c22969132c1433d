/** A recipient's detail while its mail is held back; the detail before it is kept, and returns on release. */
import type { Recipient } from './objects/objects.js'

/** By who holds it back. */
const HELD_BY = {
  operator: 'held by the operator of this server',
  pause: 'waits, because the mailbox is paused',
} as const
type Holder = keyof typeof HELD_BY

const BEFORE = '; before that: '

type Detail = Pick<Recipient, 'detail'>

export function isHeld({ detail }: Detail, by: Holder): boolean {
  return detail === HELD_BY[by] || detail?.startsWith(HELD_BY[by] + BEFORE) === true
}

export function heldDetail(recipient: Detail, by: Holder): string {
  const { detail } = recipient
  if (isHeld(recipient, by) || detail === null) return detail ?? HELD_BY[by]
  return HELD_BY[by] + BEFORE + detail
}

export function detailBefore({ detail }: Detail, by: Holder): string | null {
  return detail?.startsWith(HELD_BY[by] + BEFORE) ? detail.slice((HELD_BY[by] + BEFORE).length) : null
}

/** Last reply of a recipient's server, even while held. */
export function lastAnswer(recipient: Detail): string | null {
  const holder = (['operator', 'pause'] as const).find((by) => isHeld(recipient, by))
  return holder ? lastAnswer({ detail: detailBefore(recipient, holder) }) : recipient.detail
}
