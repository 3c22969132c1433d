/** Link to an archive: account, export, and an HMAC of this server. Not stored. */
import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '../../lib/ids.js'

/** Purpose of the MAC; the same key signs other things for browsers. */
const LABEL = 'export link v1'
const ULID = '([0-9A-HJKMNP-TV-Z]{26})'
const FORM = new RegExp(`^${ULID}-${ULID}-([A-Za-z0-9_-]{43})$`)

interface Place {
  accountId: string
  exportId: string
}

export function linkOf(webKey: Uint8Array, { accountId, exportId }: Place): string {
  const mac = createHmac('sha256', webKey).update([LABEL, accountId, exportId].join('\n')).digest('base64url')
  return `${exportId.slice('exp_'.length)}-${accountId.slice('acc_'.length)}-${mac}`
}

/** Target of a link of ours; undefined for any other text. */
export function placeOf(webKey: Uint8Array, link: string): Place | undefined {
  const [, exported, account] = FORM.exec(link) ?? []
  if (exported === undefined || account === undefined) return undefined
  const place = { accountId: `acc_${account}`, exportId: `exp_${exported}` }
  return constantTimeEqual(link, linkOf(webKey, place)) ? place : undefined
}
