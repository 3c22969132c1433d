/** SELECT and EXAMINE, with CONDSTORE and QRESYNC (RFC 9051 §6.3.2; RFC 7162 §3.1.8, §3.2.5). */
import { readMailbox } from '../wire/mailbox-name.js'
import { countNumbers, readKnownSet, type NumberSet } from '../wire/sequence-set.js'
import type { Scanner } from '../wire/scanner.js'
import { readNzNumber, readNzNumber64 } from '../wire/tokens.js'

export interface SelectCommand {
  name: 'SELECT' | 'EXAMINE'
  mailbox: string
  condstore: boolean
  qresync: Qresync | undefined
}

/** The client's last knowledge of the mailbox. */
export interface Qresync {
  uidValidity: number
  modseq: number
  knownUids: NumberSet | undefined
  /** The nth sequence number had the nth UID: both sets have as many numbers. */
  match: { sequence: NumberSet; uids: NumberSet } | undefined
}

export function readSelect(name: SelectCommand['name']): (scanner: Scanner) => SelectCommand {
  return (scanner) => {
    scanner.space()
    const command: SelectCommand = { name, mailbox: readMailbox(scanner), condstore: false, qresync: undefined }
    if (!scanner.skip(' ')) return command
    scanner.list(`parameters of ${name}`, { min: 1, max: 2 }, () => {
      const parameter = scanner.oneOf(['CONDSTORE', 'QRESYNC'], 'parameter')
      if (parameter === 'CONDSTORE' ? command.condstore : command.qresync) scanner.fail(`${parameter} is given twice`)
      if (parameter === 'CONDSTORE') command.condstore = true
      else command.qresync = readQresync(scanner)
    })
    return command
  }
}

function readQresync(scanner: Scanner): Qresync {
  scanner.expect(' (')
  const uidValidity = readNzNumber(scanner, 'UIDVALIDITY')
  scanner.space()
  const modseq = readNzNumber64(scanner, 'a mod-sequence')
  const knownUids = scanner.looksAt(' ') && !scanner.looksAt(' (') ? readAfterSpace(scanner, 'known UIDs') : undefined
  const match = scanner.skip(' (') ? readMatch(scanner) : undefined
  scanner.expect(')')
  return { uidValidity, modseq, knownUids, match }
}

function readMatch(scanner: Scanner): Qresync['match'] {
  const sequence = readKnownSet(scanner, 'known sequence numbers')
  const uids = readAfterSpace(scanner, 'their UIDs')
  if (countNumbers(sequence) !== countNumbers(uids)) scanner.fail('not as many sequence numbers as UIDs')
  scanner.expect(')')
  return { sequence, uids }
}

function readAfterSpace(scanner: Scanner, what: string): NumberSet {
  scanner.space()
  return readKnownSet(scanner, what)
}
