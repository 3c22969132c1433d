/** FETCH of what the folder has of each message: flags, sizes, dates. No message is read, so the lines of many are written at once. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '../../mailbox/folders/entries.js'
import type { FolderView } from '../../mailbox/folders/view.js'
import type { FetchItem } from '../grammar/fetch-items.js'
import { formatDateTime } from '../wire/dates.js'
import { ResponseLine } from '../wire/response.js'
import { writeFlags } from './flag-names.js'
import type { ImapSession } from './session.js'

/** Messages between turns of the event loop. */
const TURN = 512

/** Text of an item, with its name. */
export type TextOf = (entry: Entry) => string

/**
 * Writes the responses for some messages.
 *
 * @param items UID, FLAGS, INTERNALDATE, RFC822.SIZE and MODSEQ only
 */
export async function fetchEntries(
  session: ImapSession,
  view: FolderView,
  entries: readonly Entry[],
  items: readonly FetchItem[],
): Promise<void> {
  const selected = session.mustSelected()
  const { output } = session.wire
  const texts = items.map(({ item }) => textOf(item, view))
  for (let start = 0; start < entries.length; start += TURN) {
    let lines = ''
    for (const entry of entries.slice(start, start + TURN)) {
      let line = `* ${selected.seqOf(entry.uid)} FETCH (`
      for (const [i, text] of texts.entries()) line += i === 0 ? text(entry) : ` ${text(entry)}`
      lines += `${line})\r\n`
    }
    await output.write([Buffer.from(lines, 'latin1')])
    await nextTurn()
  }
}

/** @param item UID, FLAGS, INTERNALDATE, RFC822.SIZE or MODSEQ */
export function textOf(item: FetchItem['item'], view: FolderView): TextOf {
  switch (item) {
    case 'UID':
      return ({ uid }) => `UID ${uid}`
    case 'FLAGS':
      return flagsIn(view)
    case 'INTERNALDATE':
      return ({ date }) => `INTERNALDATE "${formatDateTime(1000 * date)}"`
    case 'RFC822.SIZE':
      return ({ size }) => `RFC822.SIZE ${size}`
    case 'MODSEQ':
      return ({ modseq }) => `MODSEQ (${modseq})`
    default:
      throw new Error(`the folder does not have ${item}`)
  }
}

/** Few combinations are in use: each is written once. */
function flagsIn(view: FolderView): TextOf {
  const known = new Map<string, string>()
  return (entry) => {
    const { flags, keywords } = entry
    const name = `${flags} ${keywords[0]} ${keywords[1]}`
    const text = known.get(name) ?? flagsOf(view, entry)
    known.set(name, text)
    return text
  }
}

function flagsOf(view: FolderView, entry: Entry): string {
  const line = new ResponseLine({ utf8: false }).raw('FLAGS ')
  writeFlags(line, view, entry)
  return Buffer.concat(line.take()).toString('latin1')
}
