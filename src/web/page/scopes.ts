/** Scopes, described for mailbox owners. */
import type { Scope } from '../../accounts/types.js'
import { MAIL_SCOPE, type OAuthScope } from '../../oauth/scopes.js'

export const SCOPE_WORDS: Record<Scope | OAuthScope, string> = {
  'mail:read': 'read mail',
  'mail:send': 'send mail',
  'mail:write': 'change labels and drafts, delete mail',
  'account:manage': 'export and delete the account',
  imap: 'read and file mail in a mail program',
  'imap:read': 'read mail in a mail program',
  submission: 'send mail from a mail program',
  smtp: 'send mail from a mail program',
  [MAIL_SCOPE]: 'read, file and send mail in a mail program',
}

export function scopeWords(scopes: readonly (Scope | OAuthScope)[]): string {
  const words = scopes.map((scope) => SCOPE_WORDS[scope])
  return words.length === 0 ? 'do nothing' : words.join('; ')
}
