/** Flags and keywords as responses and commands name them (RFC 9051 §2.3.2). */
import type { Entry } from '../../mailbox/folders/entries.js'
import type { FlagChange } from '../../mailbox/folders/flag-change.js'
import { DRAFT, labelOfKeyword, MAX_KEYWORDS, SYSTEM_FLAGS } from '../../mailbox/folders/flags.js'
import type { FolderView } from '../../mailbox/folders/view.js'
import type { ResponseLine } from '../wire/response.js'
import { Refused } from './completion.js'

const BITS = new Map([...SYSTEM_FLAGS].map(([name, bit]) => [name.toLowerCase(), bit]))
/** Of the server only (RFC 3501 §2.3.2): programs may send it back. */
const RECENT = '\\recent'

/** All flags of a folder: those that every folder has, and keywords of the mailbox. */
export const flagNames = ({ keywords }: Pick<FolderView, 'keywords'>): string[] => [...SYSTEM_FLAGS.keys(), ...keywords]

/** Those that a program can change for good; `\\*`: it can make keywords (RFC 9051 §7.1). */
export const permanentNames = ({ keywords }: Pick<FolderView, 'keywords'>): string[] => [
  ...[...SYSTEM_FLAGS].filter(([, bit]) => bit !== DRAFT).map(([name]) => name),
  ...keywords.filter((name) => labelOfKeyword(name) !== undefined),
  ...(keywords.length < MAX_KEYWORDS ? ['\\*'] : []),
]

export function writeFlags(
  line: ResponseLine,
  view: Pick<FolderView, 'keywords'>,
  { flags, keywords }: Pick<Entry, 'flags' | 'keywords'>,
): void {
  const names = [...SYSTEM_FLAGS].filter(([, bit]) => (flags & bit) !== 0).map(([name]) => name)
  for (const word of [0, 1] as const)
    for (let bits = keywords[word], at = 32 * word; bits !== 0; bits >>>= 1, at++)
      if ((bits & 1) === 1) names.push(view.keywords[at] ?? '')
  line.list(names, (name) => line.atom(name))
}

/** What a list of flags says. @throws Refused for a system flag that does not exist */
export function readFlagNames(names: readonly string[]): Omit<FlagChange, 'mode'> {
  let flags = 0
  const keywords: string[] = []
  for (const name of names) {
    const bit = BITS.get(name.toLowerCase())
    if (bit !== undefined) flags |= bit
    else if (!name.startsWith('\\')) keywords.push(name)
    else if (name.toLowerCase() !== RECENT) throw new Refused({ status: 'BAD', text: 'there is no such flag' })
  }
  return { flags, keywords }
}
