/** Problems of an account, described for its owner. */
import type { AccountRecord } from '../../accounts/types.js'
import { html, type Html } from './html.js'

/** Nothing for an active account. */
export function accountNotice(account: AccountRecord): Html | undefined {
  switch (account.status) {
    case 'active':
      return undefined
    case 'suspended':
      return html`<div class="card">
        <p class="bad"><strong>Your account is suspended.</strong></p>
        ${
          account.suspension &&
          html`<p>
              ${account.suspension.by === 'service' ? 'The server suspended it automatically, because:' : "The operator's reason:"}
            </p>
            <blockquote dir="auto">${account.suspension.reason}</blockquote>`
        }
        <p>
          Until it is reinstated it can't approve mailboxes, and its mailboxes can't send. Write to the operator of this
          server (postmaster@ any of its domains) to have it ended: say what led to it and what you have changed, or why
          you think that this is wrong.
        </p>
      </div>`
    case 'deletion_pending':
      return html`<div class="card">
        <p class="bad"><strong>Your account is about to be deleted.</strong></p>
        <p>It can't approve mailboxes until you cancel the deletion.</p>
      </div>`
  }
}
