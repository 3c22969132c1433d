/** Scopes, described for mailbox owners. */
import type { Scope } from '../../accounts/types.js'

export const SCOPE_WORDS: Record<Scope, string> = {
  'mail:read': 'read mail',
  'mail:send': 'send mail',
  'mail:write': 'change labels and drafts, delete mail',
  'account:manage': 'export and delete the account',
  imap: 'read and file mail in a mail program',
  'imap:read': 'read mail in a mail program',
  submission: 'send mail from a mail program',
}

export function scopeWords(scopes: readonly Scope[]): string {
  const words = scopes.map((scope) => SCOPE_WORDS[scope])
  return words.length === 0 ? 'do nothing' : words.join('; ')
}
