/** One mailbox of an owner: its keys (create, rotate, revoke) and its messages waiting for review. */
import { isAppPassword } from '../../accounts/refusals.js'
import { AGENT_SCOPES, type ApiKey } from '../../accounts/types.js'
import type { HeldMessage } from '../../mailbox/reading/reading.js'
import type { MailboxSettings } from '../../mailbox/objects/set-types.js'
import { APPROVAL_DAYS } from '../../mailbox/settings/settings.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { html, type Html } from '../page/html.js'
import type { Visitor } from '../page/page.js'
import { PAUSE_DONE, pauseForm, withdrawnNotice } from '../page/pause-form.js'
import { reasonItem } from '../page/reasons.js'
import { scopeChoice, scopeWords } from '../page/scopes.js'
import { moment, plain } from '../page/words.js'
import { connectionList } from './connections.js'
import { createAppPassword, mailPrograms } from './mail-programs.js'
import { appleProfilePage } from './phone-setup.js'
import { form, notice, ownerAction, ownerPage, ownMailbox, PATHS, type OwnerPage } from '../page/person-frame.js'
import { factsOf, mailboxPath } from './mailboxes.js'

const PATH = `${PATHS.mailboxes}/mailboxes/{id}`
const SHOWN_HELD = 50

const viewMailbox: OwnerPage = {
  method: 'GET',
  path: PATH,
  access: 'session',
  async answer({ params, query, visitor }, deps) {
    const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
    const keys = await deps.accounts.keys(mailbox.id)
    const connections = await deps.connections.list(visitor.session.accountId)
    const connected = connections.filter(({ mailboxId }) => mailboxId === mailbox.id)
    const settings = await deps.mailboxes.settings.get(mailbox.id)
    const held = await deps.mailboxes.reading.held(mailbox.id, SHOWN_HELD)
    const now = deps.clock.now()
    return ownerPage(
      {
        place: PATHS.mailboxes,
        title: mailbox.address,
        body: html`${notice(query, DONE)} ${withdrawnNotice(query)} ${factsOf(mailbox)}
          <p><a href="${mailboxPath(mailbox.id)}/activity">What this agent did, day by day</a></p>
          <h2>Pause</h2>
          ${pauseForm(mailbox, visitor, { back: mailboxPath(mailbox.id), now })}
          <h2>Your approval</h2>
          ${approvalForm(mailbox, settings, visitor)}
          <h2>Keys</h2>
          ${keyTable(
            mailbox,
            keys.filter((key) => !isAppPassword(key)),
            visitor,
            now,
          )}
          ${newKeyForm(mailbox, visitor)}
          <h2>Mail programs</h2>
          ${mailPrograms(mailbox, keys, visitor, { servers: deps.mailPrograms, now })}
          <h2>Connections</h2>
          ${
            connected.length === 0
              ? html`<p class="empty">
                  No program is connected with this mailbox. One that asks to use it is listed here once you allow it.
                </p>`
              : connectionList(connected, visitor, now)
          }
          <h2>Waiting for review</h2>
          ${heldList(held, now)}`,
      },
      visitor,
      deps,
    )
  },
}

const createKey: OwnerPage = {
  method: 'POST',
  path: `${PATH}/keys`,
  access: 'session',
  async answer({ params, form: sent, visitor, audit }, deps) {
    const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
    const chosen = sent.getAll('scope')
    const create = () =>
      deps.accounts.createKey(mailbox.id, {
        name: (sent.get('name') ?? '').trim(),
        scopes: AGENT_SCOPES.filter((scope) => chosen.includes(scope)),
        requiresApproval: sent.get('requires_approval') === 'yes',
      })
    const subject = { mailbox_id: mailbox.id }
    const { key, text } = await audit({ action: 'key.made', subject }, create, (made) => ({
      subject: { key_id: made.key.id },
    }))
    return keyPage(mailbox, key, text, visitor, deps)
  },
}

const rotateKey: OwnerPage = {
  method: 'POST',
  path: `${PATH}/keys/{key_id}/rotate`,
  access: 'session',
  async answer({ params, visitor, audit }, deps) {
    const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
    const keyId = params['key_id'] ?? ''
    const { key, text } = await audit(
      { action: 'key.rotated', subject: { mailbox_id: mailbox.id, key_id: keyId } },
      () => deps.accounts.rotateKey(mailbox.id, keyId),
      (made) => ({ subject: { name: made.key.id } }),
    )
    return keyPage(mailbox, key, text, visitor, deps)
  },
}

const revokeKey = ownerAction(`${PATH}/keys/{key_id}/revoke`, async ({ params, visitor, audit }, deps) => {
  const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
  const keyId = params['key_id'] ?? ''
  await audit({ action: 'key.revoked', subject: { mailbox_id: mailbox.id, key_id: keyId } }, () =>
    deps.accounts.revokeKey(mailbox.id, keyId),
  )
  return `${mailboxPath(mailbox.id)}?done=revoked`
})

const setApproval = ownerAction(`${PATH}/approval`, async ({ params, form: sent, visitor, audit }, deps) => {
  const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
  const requiresApproval = sent.get('requires_approval') === 'yes'
  const approvalDays = Number(sent.get('approval_days') ?? '')
  const reason = requiresApproval ? `approval needed, ${approvalDays} days` : 'no approval needed'
  await audit({ action: 'mailbox.changed', subject: { mailbox_id: mailbox.id }, reason }, () =>
    deps.mailboxes.settings.change(mailbox.id, { requiresApproval, approvalDays }, 'human'),
  )
  return `${mailboxPath(mailbox.id)}?done=approval`
})

const setKeyApproval = ownerAction(
  `${PATH}/keys/{key_id}/approval`,
  async ({ params, form: sent, visitor, audit }, deps) => {
    const mailbox = await ownMailbox(visitor, params['id'] ?? '', deps)
    const keyId = params['key_id'] ?? ''
    const requiresApproval = sent.get('requires_approval') === 'yes'
    const reason = requiresApproval ? 'approval needed' : 'no approval needed'
    await audit({ action: 'key.changed', subject: { mailbox_id: mailbox.id, key_id: keyId }, reason }, () =>
      deps.accounts.changeKey(mailbox.id, keyId, { requiresApproval }),
    )
    return `${mailboxPath(mailbox.id)}?done=key`
  },
)

export const mailboxPages: readonly OwnerPage[] = [
  viewMailbox,
  createKey,
  createAppPassword,
  appleProfilePage,
  rotateKey,
  revokeKey,
  setApproval,
  setKeyApproval,
]

const DONE = {
  ...PAUSE_DONE,
  revoked: 'The key is revoked. It no longer works.',
  approval: 'It is set, and holds from the next message on.',
  key: 'The key is changed, and holds from the next message on.',
}

function approvalForm(
  mailbox: MailboxRecord,
  { requiresApproval, approvalDays }: MailboxSettings,
  visitor: Visitor,
): Html {
  return form(
    visitor,
    `${mailboxPath(mailbox.id)}/approval`,
    html`<label class="tick"
        ><input type="checkbox" name="requires_approval" value="yes" ${requiresApproval && html` checked`} />Ask me
        before anything is sent from here</label
      >
      <label for="approval_days">Days that a draft waits for me before it goes back to the agent</label>
      <input
        type="number"
        id="approval_days"
        name="approval_days"
        min="${APPROVAL_DAYS.min}"
        max="${APPROVAL_DAYS.max}"
        value="${approvalDays}"
        required
      />
      <button class="plain">Save</button>`,
  )
}

function keyPage(
  mailbox: MailboxRecord,
  key: ApiKey,
  text: string,
  visitor: Visitor,
  deps: Parameters<OwnerPage['answer']>[1],
) {
  return ownerPage(
    {
      place: PATHS.mailboxes,
      title: 'Your new key',
      body: html`<p>The key ${key.name} of <strong>${mailbox.address}</strong>:</p>
        <pre>${text}</pre>
        <p>Copy it now: it is shown only this once, and can't be recovered. It may ${scopeWords(key.scopes)}.</p>
        <p>Give it only to your agent, in a way that nobody else can read.</p>
        <p><a class="button" href="${mailboxPath(mailbox.id)}">I have it</a></p>`,
    },
    visitor,
    deps,
  )
}

function keyTable(mailbox: MailboxRecord, keys: ApiKey[], visitor: Visitor, now: number): Html {
  if (keys.length === 0)
    return html`<p class="empty">
      There is none, so no agent can use this mailbox: make one below and give it to your agent.
    </p>`
  return html`<ul>
    ${keys.map(
      (key) =>
        html`<li class="card">
          <strong>${key.name}</strong>
          <div class="small">
            May ${scopeWords(key.scopes)}.${key.requiresApproval && html` <strong>Asks you before it sends.</strong>`}
            Made ${moment(key.createdAt, now)},
            ${key.lastUsedAt === null ? 'never used' : html`last used ${moment(key.lastUsedAt, now)}`}${key.expiresAt !== null && html`, ends ${moment(key.expiresAt, now)}`}.
          </div>
          <details>
            <summary>Approval, rotate or revoke</summary>
            ${form(
              visitor,
              `${mailboxPath(mailbox.id)}/keys/${key.id}/approval`,
              html`<input type="hidden" name="requires_approval" value="${key.requiresApproval ? 'no' : 'yes'}" />
                <button class="plain">
                  ${key.requiresApproval ? `Let ${key.name} send without asking me` : `Have ${key.name} ask me first`}
                </button>`,
            )}
            <p>
              Rotating makes a new key with the same name and rights; revoking makes none. The old one stops working at
              once.
            </p>
            ${form(visitor, `${mailboxPath(mailbox.id)}/keys/${key.id}/rotate`, html`<button class="plain">Rotate ${key.name}</button>`)}
            ${form(visitor, `${mailboxPath(mailbox.id)}/keys/${key.id}/revoke`, html`<button class="danger">Revoke ${key.name}</button>`)}
          </details>
        </li>`,
    )}
  </ul>`
}

function newKeyForm(mailbox: MailboxRecord, visitor: Visitor): Html {
  return html`<details>
    <summary>Make another key</summary>
    ${form(
      visitor,
      `${mailboxPath(mailbox.id)}/keys`,
      html`<label for="name">Name, so that you recognize it</label>
        <input type="text" id="name" name="name" maxlength="64" required autocomplete="off" />
        ${scopeChoice(AGENT_SCOPES, 'account:manage')}
        <label class="tick"
          ><input type="checkbox" name="requires_approval" value="yes" />Ask me before anything that it sends goes
          out</label
        >
        <button>Make the key</button>`,
    )}
  </details>`
}

function heldList(held: HeldMessage[], now: number): Html {
  if (held.length === 0)
    return html`<p class="empty">
      No message waits. One that the guard is not sure about is listed here until the operator's staff decides.
    </p>`
  return html`<p>The guard was not sure about these. The operator's staff decides; they are not sent until then.</p>
    <ul>
      ${held.map(
        ({ id, to, subject, heldAt, reasons }) =>
          html`<li class="card">
            <strong>${subject === '' ? '(no subject)' : plain(subject)}</strong>
            <div class="small">
              To ${to.slice(0, 5).join(', ')}${to.length > 5 && ` and ${to.length - 5} more`}, held
              ${moment(heldAt, now)}, <code>${id}</code>
            </div>
            <ul>
              ${reasons.map((reason) => reasonItem(reason))}
            </ul>
          </li>`,
      )}
    </ul>`
}
