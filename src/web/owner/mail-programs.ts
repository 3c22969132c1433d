/** Mail programs of a mailbox: app passwords (make, revoke), and what to enter in a program. */
import { isAppPassword } from '../../accounts/refusals.js'
import { PROGRAM_SCOPES, type ApiKey } from '../../accounts/types.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { form, ownerPage, ownMailbox, PATHS, type OwnerDeps, type OwnerPage } from '../page/person-frame.js'
import { SCOPE_WORDS, scopeWords } from '../page/scopes.js'
import { moment } from '../page/words.js'
import { mailboxPath } from './mailboxes.js'
import { phoneSetup, profileLink } from './phone-setup.js'

type Servers = NonNullable<OwnerDeps['mailPrograms']>

export const createAppPassword: OwnerPage = {
  method: 'POST',
  path: `${PATHS.mailboxes}/mailboxes/{id}/app-passwords`,
  access: 'session',
  async answer({ params, form: sent, visitor, audit }, deps) {
    const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
    const chosen = sent.getAll('scope')
    const create = () =>
      deps.accounts.createKey(mailbox.id, {
        name: (sent.get('name') ?? '').trim(),
        scopes: PROGRAM_SCOPES.filter((scope) => chosen.includes(scope)),
      })
    const { key, text } = await audit({ action: 'key.made', subject: { mailbox_id: mailbox.id } }, create, (made) => ({
      subject: { key_id: made.key.id },
    }))
    const setup =
      deps.mailPrograms &&
      (await phoneSetup(mailbox, { password: text, scopes: key.scopes }, deps.mailPrograms, visitor))
    return ownerPage(
      {
        place: PATHS.mailboxes,
        title: 'Your new app password',
        body: html`<p>
            The app password ${key.name} of <strong>${mailbox.address}</strong>. Enter this in the program:
          </p>
          <dl>
            ${deps.mailPrograms && serverFacts(deps.mailPrograms, key.scopes)}
            <dt>User name</dt>
            <dd>${mailbox.address}</dd>
            <dt>Password</dt>
            <dd><pre>${text}</pre></dd>
          </dl>
          <p>Copy it now: it is shown only this once, and can't be recovered. It may ${scopeWords(key.scopes)}.</p>
          ${setup}
          <p><a class="button" href="${mailboxPath(mailbox.id)}">I have it</a></p>`,
      },
      visitor,
      deps,
    )
  },
}

/** The part of a mailbox's page. */
export function mailPrograms(
  mailbox: MailboxRecord,
  keys: readonly ApiKey[],
  visitor: Visitor,
  { servers, now }: { servers: Servers | undefined; now: number },
): Html {
  const passwords = keys.filter(isAppPassword)
  return html`${
    servers
      ? html`<dl>${serverFacts(servers, PROGRAM_SCOPES)}</dl>
          ${profileLink(mailbox, servers)}`
      : html`<p class="empty">This server has no port for mail programs; its operator can open some.</p>`
  }
  ${
    passwords.length > 0 &&
    html`<ul>
      ${passwords.map((key) => entry(mailbox, key, visitor, now))}
    </ul>`
  }
  ${servers && newPassword(mailbox, visitor)}`
}

function serverFacts({ imap, submission }: Servers, scopes: readonly string[]): Html {
  const reads = scopes.includes('imap') || scopes.includes('imap:read')
  return html`${imap && reads && serverFact('Reading (IMAP)', imap)}
  ${submission && scopes.includes('submission') && serverFact('Sending (SMTP)', submission)}`
}

function serverFact(what: string, { host, tls, startTls }: NonNullable<Servers['imap']>): Html {
  return html`<dt>${what}</dt>
    <dd>
      ${host},
      ${tls !== undefined && html`port ${tls} with SSL/TLS`}${
        tls !== undefined && startTls !== undefined && ', or '
      }${startTls !== undefined && html`port ${startTls} with STARTTLS`}
    </dd>`
}

function entry(mailbox: MailboxRecord, key: ApiKey, visitor: Visitor, now: number): Html {
  return html`<li class="card">
    <strong>${key.name}</strong>
    <div class="small">
      May ${scopeWords(key.scopes)}. Made ${moment(key.createdAt, now)},
      ${key.lastUsedAt === null ? 'never used' : html`last used ${moment(key.lastUsedAt, now)}`}${key.expiresAt !== null && html`, ends ${moment(key.expiresAt, now)}`}.
    </div>
    <details>
      <summary>Revoke</summary>
      <p>The program is cut off at once.</p>
      ${form(visitor, `${mailboxPath(mailbox.id)}/keys/${key.id}/revoke`, html`<button class="danger">Revoke ${key.name}</button>`)}
    </details>
  </li>`
}

function newPassword(mailbox: MailboxRecord, visitor: Visitor): Html {
  return html`<details>
    <summary>Make an app password</summary>
    ${form(
      visitor,
      `${mailboxPath(mailbox.id)}/app-passwords`,
      html`<label for="program">Name of the program, so that you recognize it</label>
        <input type="text" id="program" name="name" maxlength="64" required autocomplete="off" />
        <fieldset>
          <legend>It may</legend>
          ${PROGRAM_SCOPES.map(
            (scope) =>
              html`<label class="tick"
                ><input
                  type="checkbox"
                  name="scope"
                  value="${scope}"
                  ${scope !== 'imap:read' && html` checked`}
                />${SCOPE_WORDS[scope]}</label
              >`,
          )}
        </fieldset>
        <button>Make the password</button>`,
    )}
  </details>`
}
