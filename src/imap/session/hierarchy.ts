/** Names of folders with those above them, and LIST responses for them (RFC 9051 §7.3.1). */
import type { ListedFolder } from '../../mailbox/folders/listing.js'
import { DELIMITER, SPECIAL_USE } from '../../mailbox/folders/names.js'
import type { ResponseLine } from '../wire/response.js'

/** A name of the hierarchy; one without a folder is only above others. */
export interface Listed {
  name: string
  folder: ListedFolder | undefined
  hasChildren: boolean
}

/** All names, with those above them. */
export function hierarchy(folders: readonly ListedFolder[]): Listed[] {
  const byName = new Map<string, ListedFolder | undefined>(folders.map((folder) => [folder.name, folder]))
  const parents = new Set<string>()
  for (const { name } of folders) {
    const levels = name.split(DELIMITER)
    for (let count = 1; count < levels.length; count++) {
      const parent = levels.slice(0, count).join(DELIMITER)
      parents.add(parent)
      if (!byName.has(parent)) byName.set(parent, undefined)
    }
  }
  return [...byName].map(([name, folder]) => ({ name, folder, hasChildren: parents.has(name) }))
}

export const isBelow = (name: string, parent: string): boolean => name.startsWith(parent + DELIMITER)

/** The name one level above; undefined at the top. */
export const parentOf = (name: string): string | undefined =>
  name.includes(DELIMITER) ? name.slice(0, name.lastIndexOf(DELIMITER)) : undefined

function attributes({ folder, hasChildren }: Listed, showSubscribed: boolean): string[] {
  const words = [hasChildren ? '\\HasChildren' : '\\HasNoChildren']
  if (!folder) words.push('\\NonExistent', '\\Noselect')
  const use = folder && SPECIAL_USE[folder.key]
  if (use !== undefined) words.push(use)
  if (showSubscribed && folder?.subscribed) words.push('\\Subscribed')
  return words
}

/** A LIST response, which may go on. @param showSubscribed with `\\Subscribed` (RFC 5258 §3.1) */
export function listLine(session: { line(): ResponseLine }, listed: Listed, showSubscribed: boolean): ResponseLine {
  const line = session.line().raw('* LIST ')
  line.list(attributes(listed, showSubscribed), (word) => line.raw(word))
  return line.raw(` "${DELIMITER}" `).mailbox(listed.name)
}
