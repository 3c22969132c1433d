/** Scopes, described for mailbox owners, and to be chosen by them. */
import type { Scope } from '../../accounts/types.js'
import { html, type Html } from './html.js'
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

/** @param unticked the scope that is not chosen until its owner does */
export function scopeChoice(scopes: readonly Scope[], unticked: Scope): Html {
  return html`<fieldset>
    <legend>It may</legend>
    ${scopes.map(
      (scope) =>
        html`<label class="tick"
          ><input
            type="checkbox"
            name="scope"
            value="${scope}"
            ${scope !== unticked && html` checked`}
          />${SCOPE_WORDS[scope]}</label
        >`,
    )}
  </fieldset>`
}
