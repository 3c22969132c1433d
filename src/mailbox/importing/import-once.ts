/** An import that is repeated, or goes on after a crash, brings every message once: a row says for some time which one has which octets in which folder. */
import { createHash } from 'node:crypto'
import { DAY } from '../../lib/clock.js'
import { encode } from '../../store/keys.js'
import type { Transaction, View } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { readDraft } from '../draft.js'
import type { FolderKey } from '../folders/folder.js'
import { EMPTY_VALUE, expiringKey, expiryKey } from '../keys.js'
import { placeOf } from '../message-rows.js'
import { sha256InTurns } from '../raw.js'

const REMEMBERED_MS = 30 * DAY

export interface Once {
  name: string
  /** True if it was imported, and is still there. */
  isThere(view: View): Promise<boolean>
}

/** @param raw with CRLF at the end of every line */
export async function onceKey(raw: Buffer, folder: FolderKey): Promise<Once> {
  const name = createHash('sha256')
    .update(`${folder}\n${await sha256InTurns(raw)}`)
    .digest('hex')
  return {
    name,
    async isThere(view) {
      const row = await readValue<{ messageId: string }>(view, expiringKey('imported', name))
      if (!row) return false
      const { messageId: id } = row
      return (await readDraft(view, id)) !== undefined || (await placeOf(view, id)) !== undefined
    },
  }
}

export function rememberImport(tx: Transaction, { name }: Once, messageId: string, now: number): void {
  const expiresAt = now + REMEMBERED_MS
  tx.put(expiringKey('imported', name), encode({ messageId, expiresAt }))
  tx.put(expiryKey(expiresAt, 'imported', name), EMPTY_VALUE)
}
