/** The consent page: the client, its redirect, the scopes, and the mailbox. */
import type { AccountRecord } from '../../accounts/types.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { MAIL_SCOPE, type OAuthScope } from '../../oauth/scopes.js'
import type { AuthorizationRequest, OAuthClient } from '../../oauth/types.js'
import { PATHS as OAUTH_PATHS } from '../../api/oauth/metadata.js'
import type { ConsentTarget } from './consent-target.js'
import { MARK_FIELD } from '../page/form.js'
import { html, type Html } from '../page/html.js'
import { PATHS } from '../page/person-frame.js'
import { SIGN_IN_PATH, type Visitor } from '../page/page.js'
import { signInLinks, whoIs, type SignInWays } from '../sign-in/ways.js'
import { accountNotice } from '../page/account-notice.js'
import { plain } from '../page/words.js'

export const CONSENT_PATH = OAUTH_PATHS.authorize

/** More mailboxes are shown as a dropdown. */
const MAX_RADIOS = 8

/** Scopes, described for the human who decides. */
const CONSENT_WORDS: Record<OAuthScope, { label: string; about: string }> = {
  'mail:read': {
    label: 'Read mail',
    about: 'All present and future mail, including attachments, sign-in links and codes.',
  },
  'mail:send': {
    label: 'Send mail',
    about: 'New messages and replies from this address, without asking you each time. You are responsible for them.',
  },
  'mail:write': {
    label: 'Sort and delete mail',
    about: 'Labels, drafts, read marks and the trash.',
  },
  imap: {
    label: 'Read and file mail in a mail program',
    about:
      'All present and future mail, including attachments, sign-in links and codes. It may also mark, move, store and delete mail, for good too.',
  },
  'imap:read': {
    label: 'Read mail in a mail program',
    about: 'All present and future mail, including attachments, sign-in links and codes. It changes nothing.',
  },
  smtp: {
    label: 'Send mail from a mail program',
    about: 'Messages from this address, without asking you each time. You are responsible for them.',
  },
  [MAIL_SCOPE]: {
    label: 'Read, file and send mail in a mail program',
    about:
      'All present and future mail, including attachments, sign-in links and codes. It may mark, move, store and delete mail, for good too, and send from this address without asking you each time. You are responsible for what it sends.',
  },
}

interface Asked {
  request: AuthorizationRequest
  target: ConsentTarget
  /** URL of this page for sign-in; undefined if too long. */
  back: string | undefined
}

export function signInFirst({ request, target, back, ways }: Asked & { ways: SignInWays }): Html {
  return html`${whoAsks(request, target)}
    <h2>Sign in to answer</h2>
    ${
      back === undefined &&
      html`<p>
        The program's request is too long to be kept while you sign in. Sign in first, then start again in the program.
      </p>`
    }
    ${signInLinks(ways, back ?? PATHS.mailboxes)}
    ${ways.providers.length === 0 && !ways.byMail && html`<p>Open that link in this browser, then come back and reload this page.</p>`}`
}

export function consentBody({
  request,
  query,
  target,
  back,
  visitor,
  account,
  mailboxes,
}: Asked & {
  /** Request fields for the form. */
  query: URLSearchParams
  visitor: Visitor
  account: AccountRecord | undefined
  mailboxes: readonly MailboxRecord[]
}): Html {
  const obstacle = whyNot(account, mailboxes)
  const hidden = html`<input type="hidden" name="${MARK_FIELD}" value="${visitor.mark}" /><input
      type="hidden"
      name="request"
      value="${query.toString()}"
    />`
  return html`${whoAsks(request, target)}
    <p class="small">
      You are signed in as <strong>${whoIs(visitor.session.identity)}</strong>.
      <a href="${back === undefined ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(back)}`}"
        >Not you, or another account?</a
      >
    </p>
    ${obstacle}
    <form method="post" action="${CONSENT_PATH}">
      ${hidden} ${!obstacle && html`${whichMailbox(mailboxes)} ${whatItMay(request)}`}
      ${
        !obstacle &&
        html`<p>It keeps this access until you end it, at any time, under Connections in your account.</p>
          <button name="decision" value="allow">Allow</button>`
      }
      <button class="plain" name="decision" value="refuse">Refuse</button>
    </form>`
}

/** Why this human cannot allow anything. */
function whyNot(account: AccountRecord | undefined, mailboxes: readonly MailboxRecord[]): Html | undefined {
  if (!account) return html`<p class="card bad">This account is gone.</p>`
  const notice = accountNotice(account)
  if (notice) {
    return html`${notice}
      <p>Nothing can be connected with it until then.</p>
      ${account.status === 'deletion_pending' && html`<p><a class="button plain" href="${PATHS.deletion}">Keep my account</a></p>`}`
  }
  if (mailboxes.length > 0) return undefined
  return html`<div class="card">
    <p><strong>Your account has no mailbox yet.</strong></p>
    <p>
      A program is connected with a mailbox that you have approved. An agent claims one and gives you a link for that,
      and the operator of this server can put one into your account. Then start again in the program.
    </p>
  </div>`
}

function whoAsks({ client }: AuthorizationRequest, target: ConsentTarget): Html {
  return html`<div class="card">
    ${nameOf(client)}
    <dl>
      <dt>Your browser then goes to</dt>
      <dd>${backTo(target)}</dd>
    </dl>
    ${
      client.kind === 'document' &&
      target.kind === 'site' &&
      target.name !== client.host &&
      html`<p class="bad">That is not the site that the program is verified for.</p>`
    }
    ${
      target.kind !== 'site' &&
      html`<p>Allow it only if you have just now asked for this yourself, on your own device.</p>`
    }
  </div>`
}

function nameOf({ kind, host, name, id }: OAuthClient): Html {
  const called = html`<strong><bdi>${plain(name)}</bdi></strong>`
  if (kind === 'document') {
    return html`<p class="address">${host ?? id}</p>
      <p>calls itself ${called} and wants to use one of your mailboxes.</p>`
  }
  return html`<p class="address"><bdi>${plain(name)}</bdi></p>
    <p>wants to use one of your mailboxes.</p>
    <p class="bad">This name is not verified: any program can use it.</p>`
}

function backTo({ kind, name }: ConsentTarget): Html {
  switch (kind) {
    case 'site':
      return html`<strong>${name}</strong>`
    case 'loopback':
      return html`<strong>a program on this computer</strong> <span class="small">(${name})</span>`
    case 'app':
      return html`<strong>an app on this device</strong> <span class="small">(the one that opens ${name}: links)</span>`
  }
}

function whichMailbox(mailboxes: readonly MailboxRecord[]): Html {
  const [only] = mailboxes
  if (only && mailboxes.length === 1) {
    return html`<h2>The mailbox</h2>
      <p class="address">${only.address}</p>
      <input type="hidden" name="mailbox" value="${only.id}" />`
  }
  if (mailboxes.length > MAX_RADIOS) {
    return html`<h2><label for="mailbox">Which mailbox?</label></h2>
      <select id="mailbox" name="mailbox" required>
        <option value="">Choose one</option>
        ${mailboxes.map(({ id, address }) => html`<option value="${id}">${address}</option>`)}
      </select>`
  }
  return html`<fieldset>
    <legend>Which mailbox?</legend>
    ${mailboxes.map(
      ({ id, address, agentName }) =>
        html`<label class="tick"
          ><input type="radio" name="mailbox" value="${id}" required /><span
            >${address}${agentName !== null && html` <span class="small">${plain(agentName)}</span>`}</span
          ></label
        >`,
    )}
  </fieldset>`
}

/** Scopes are independent, but forwarding takes reading and sending. */
function whatItMay({ scopes }: AuthorizationRequest): Html {
  const [only] = scopes
  if (only && scopes.length === 1) {
    const { label, about } = CONSENT_WORDS[only]
    return html`<h2>What it asks for</h2>
      <p><strong>${label}</strong><br /><span class="small">${about}</span></p>
      <input type="hidden" name="scope" value="${only}" />`
  }
  return html`<fieldset>
    <legend>What it may do</legend>
    ${scopes.map((scope) => {
      const { label, about } = CONSENT_WORDS[scope]
      return html`<label class="tick"
        ><input type="checkbox" name="scope" value="${scope}" checked /><span
          ><strong>${label}</strong><br /><span class="small">${about}</span></span
        ></label
      >`
    })}
    <p class="small">Untick what it does not need. The program learns what you allowed, and can ask again.</p>
  </fieldset>`
}
