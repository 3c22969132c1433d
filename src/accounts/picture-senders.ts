/** Senders whose pictures on other servers the human of an account wants to see without being asked: one row, read when a message with such pictures is shown. */
import type { Clock } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { addressKey, asciiAddress } from '../mime/address.js'
import { encode, key } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { readValue } from '../store/values.js'
import { accountPartition, mustReadAccount } from './record.js'

export interface PictureSender {
  /** Lower-cased, with its domain in ASCII. */
  address: string
  /** Milliseconds since the epoch. */
  at: number
}

/** Per account. */
export const MAX_PICTURE_SENDERS = 500
const ROW = key('picture-senders')

/** The form in which authors are compared: the exact address, without regard to case. */
export const senderKey = (address: string): string => addressKey(asciiAddress(address))

/** Alphabetical. */
export const readPictureSenders = async (view: View): Promise<PictureSender[]> =>
  (await readValue<PictureSender[]>(view, ROW)) ?? []

export type PictureSenders = ReturnType<typeof createPictureSenders>

export function createPictureSenders({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** Alphabetical. */
    list: (accountId: string): Promise<PictureSender[]> => store.read(accountPartition(accountId), readPictureSenders),

    /** Idempotent. The caller knows that the address is an author's. @throws ServiceError `limit_reached` */
    add: (accountId: string, given: string): Promise<void> =>
      store.write(accountPartition(accountId), async (tx) => {
        await mustReadAccount(tx, accountId)
        const address = senderKey(given)
        const senders = await readPictureSenders(tx)
        if (senders.some((each) => each.address === address)) return
        if (senders.length >= MAX_PICTURE_SENDERS) throw tooMany()
        senders.push({ address, at: clock.now() })
        put(tx, senders)
      }),

    /** Idempotent. */
    remove: (accountId: string, given: string): Promise<void> =>
      store.write(accountPartition(accountId), async (tx) => {
        const address = senderKey(given)
        const senders = await readPictureSenders(tx)
        const left = senders.filter((each) => each.address !== address)
        if (left.length < senders.length) put(tx, left)
      }),
  }
}

function put(tx: Transaction, senders: PictureSender[]): void {
  if (senders.length === 0) return tx.delete(ROW)
  tx.put(ROW, encode(senders.sort((a, b) => (a.address < b.address ? -1 : 1))))
}

const tooMany = (): ServiceError =>
  new ServiceError(
    'limit_reached',
    `Pictures of ${MAX_PICTURE_SENDERS} senders are shown already, and there can be no more.`,
    'Remove some at /inbox/pictures. The pictures of one message are shown by “Show them”.',
  )
