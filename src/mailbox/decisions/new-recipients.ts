/**
 * What a message costs its account: people to whom it had never written count against the limit of the day on which the message may leave, and are given
 * back when it does not leave after all. Its state says who they are, and whether they are counted.
 */
import { dayOf } from '../../accounts/outcomes.js'
import { charge, giveBack } from '../../accounts/recipients.js'
import type { Clock } from '../../lib/clock.js'
import { addressKey } from '../../mime/address.js'
import type { Transaction } from '../../store/types.js'
import type { MessageState } from '../message.js'

/** @param fresh addresses as an account spells them @returns their places among the recipients, as they are stored */
export function freshAmong(
  recipients: MessageState['recipients'],
  fresh: readonly string[],
): Pick<MessageState, 'fresh'> {
  const places = recipients.flatMap(({ address }, place) => (fresh.includes(addressKey(address)) ? [place] : []))
  return places.length > 0 ? { fresh: places } : {}
}

/** Within the transaction that lets it go. @param account the transaction of its account @returns its state after it */
export async function chargeFresh(account: Transaction, state: MessageState, clock: Clock): Promise<MessageState> {
  if (!state.fresh || state.freshCountedOn !== undefined) return state
  await charge(account, state.id, addressesOf(state), clock)
  return { ...state, freshCountedOn: dayOf(clock) }
}

/** Within the transaction that holds, blocks or cancels it. @param account the transaction of its account @returns its state after it */
export async function giveBackFresh(account: Transaction, state: MessageState, clock: Clock): Promise<MessageState> {
  const { freshCountedOn: day, ...after } = state
  if (day === undefined) return state
  await giveBack(account, state.id, { fresh: addressesOf(state), day }, clock)
  return after
}

function addressesOf({ recipients, fresh = [] }: MessageState): string[] {
  return recipients.flatMap(({ address }, place) => (fresh.includes(place) ? [addressKey(address)] : []))
}
