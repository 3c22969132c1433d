/** New recipients of a message count against the limit of the day it may leave, and are refunded if it does not. */
import { dayOf } from '../../accounts/outcomes.js'
import { charge, giveBack } from '../../accounts/recipients.js'
import type { Clock } from '../../lib/clock.js'
import { addressKey } from '../../mime/address.js'
import type { Transaction } from '../../store/types.js'
import type { MessageState } from '../message.js'

/** @param fresh normalized addresses @returns the indexes of those recipients */
export function freshAmong(
  recipients: MessageState['recipients'],
  fresh: readonly string[],
): Pick<MessageState, 'fresh'> {
  const places = recipients.flatMap(({ address }, place) => (fresh.includes(addressKey(address)) ? [place] : []))
  return places.length > 0 ? { fresh: places } : {}
}

/** Counts new recipients, within the transaction that releases the message. @param account transaction of its account @returns the new state */
export async function chargeFresh(account: Transaction, state: MessageState, clock: Clock): Promise<MessageState> {
  if (!state.fresh || state.freshCountedOn !== undefined) return state
  await charge(account, state.id, addressesOf(state), clock)
  return { ...state, freshCountedOn: dayOf(clock) }
}

/** Refunds new recipients, within the transaction that holds, blocks or cancels the message. @param account transaction of its account */
export async function giveBackFresh(account: Transaction, state: MessageState, clock: Clock): Promise<MessageState> {
  const { freshCountedOn: day, ...after } = state
  if (day === undefined) return state
  await giveBack(account, state.id, { fresh: addressesOf(state), day }, clock)
  return after
}

function addressesOf({ recipients, fresh = [] }: MessageState): string[] {
  return recipients.flatMap(({ address }, place) => (fresh.includes(place) ? [addressKey(address)] : []))
}
