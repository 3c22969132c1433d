/** Commands on messages of the selected mailbox: FETCH, STORE, COPY, MOVE, EXPUNGE (RFC 9051 §6.4; RFC 7162 §3.1.3, §3.1.4.1, §3.2.6). */
import { readMailbox } from '../wire/mailbox-name.js'
import type { Scanner } from '../wire/scanner.js'
import { readSequenceSet, type SequenceSet } from '../wire/sequence-set.js'
import { readFlags, readNumber64, readNzNumber64 } from '../wire/tokens.js'
import { readFetchItems, type FetchItem } from './fetch-items.js'

/** `uid`: the set has UIDs, and so have the responses. */
export type MessageCommand =
  | {
      name: 'FETCH'
      uid: boolean
      set: SequenceSet
      items: FetchItem[]
      changedSince: number | undefined
      /** RFC 7162 §3.2.6: with `uid` and `changedSince` only. */
      vanished: boolean
    }
  | {
      name: 'STORE'
      uid: boolean
      set: SequenceSet
      change: 'replace' | 'add' | 'remove'
      silent: boolean
      flags: string[]
      /** May be 0 (RFC 7162 §3.1.3). */
      unchangedSince: number | undefined
    }
  | { name: 'COPY' | 'MOVE'; uid: boolean; set: SequenceSet; mailbox: string }
  /** `uids`: of UID EXPUNGE (RFC 9051 §6.4.9). */
  | { name: 'EXPUNGE'; uids: SequenceSet | undefined }

type Read = (scanner: Scanner, uid: boolean) => MessageCommand

export const readFetch: Read = (scanner, uid) => {
  scanner.space()
  const set = readSequenceSet(scanner)
  scanner.space()
  const items = readFetchItems(scanner)
  let changedSince: number | undefined
  let vanished = false
  if (scanner.skip(' ')) {
    scanner.list('modifiers of FETCH', { min: 1, max: 2 }, () => {
      const modifier = scanner.oneOf(['CHANGEDSINCE', 'VANISHED'], 'modifier')
      if (modifier === 'VANISHED' ? vanished : changedSince !== undefined) scanner.fail(`${modifier} is given twice`)
      if (modifier === 'VANISHED') vanished = true
      else {
        scanner.space()
        changedSince = readNzNumber64(scanner, 'a mod-sequence')
      }
    })
  }
  if (vanished && (!uid || changedSince === undefined)) scanner.fail('VANISHED is for UID FETCH with CHANGEDSINCE')
  return { name: 'FETCH', uid, set, items, changedSince, vanished }
}

const CHANGES = { FLAGS: 'replace', '+FLAGS': 'add', '-FLAGS': 'remove' } as const

export const readStore: Read = (scanner, uid) => {
  scanner.space()
  const set = readSequenceSet(scanner)
  scanner.space()
  let unchangedSince: number | undefined
  if (scanner.skip('(')) {
    scanner.expect('UNCHANGEDSINCE ')
    unchangedSince = readNumber64(scanner, 'a mod-sequence')
    scanner.expect(') ')
  }
  const sign = scanner.skip('+') ? '+' : scanner.skip('-') ? '-' : ''
  const word = scanner.oneOf(['FLAGS', 'FLAGS.SILENT'], 'item of STORE')
  scanner.space()
  const flags = readFlags(scanner)
  return { name: 'STORE', uid, set, change: CHANGES[`${sign}FLAGS`], silent: word !== 'FLAGS', flags, unchangedSince }
}

export function readCopy(name: 'COPY' | 'MOVE'): Read {
  return (scanner, uid) => {
    scanner.space()
    const set = readSequenceSet(scanner)
    scanner.space()
    return { name, uid, set, mailbox: readMailbox(scanner) }
  }
}

export const readExpunge: Read = (scanner, uid) => {
  if (!uid) return { name: 'EXPUNGE', uids: undefined }
  scanner.space()
  return { name: 'EXPUNGE', uids: readSequenceSet(scanner) }
}
