/** Which API calls and operator commands are audited, and with which facts: one table each. The test of this file lists the others with reasons. */
import type { Caller } from '../../accounts/types.js'
import type { Action, Actor, Audit, NewEntry, Note, Outcome, Subject } from '../../audit/types.js'
import { cut } from '../../lib/text.js'
import type { HttpRequest } from '../message.js'

/** Input of a call, and its response once made. */
export interface CallFacts {
  params: Readonly<Record<string, string>>
  body: unknown
  caller: Caller | undefined
  request: HttpRequest
}

export interface Rule {
  action: Action
  subject?: (facts: CallFacts) => Subject
  reason?: (facts: CallFacts) => string | undefined
  /** The change is one transaction that writes its entry (`Audit.within`). */
  isWithin?: true
  /** @param answer JSON of the response */
  made?: (answer: unknown, facts: CallFacts) => Outcome
}

export type Rules = Readonly<Record<string, Rule>>

/** Runs a call with its audit entry, if it has one. */
export type AuditCall = <T>(
  operationId: string,
  facts: CallFacts,
  change: (note?: Note) => Promise<T>,
  answerOf: (result: T) => unknown,
) => Promise<T>

function text(value: unknown, field: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found: unknown = Object.entries(value).find(([name]) => name === field)?.[1]
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** @param fields maps fields of the subject to fields of the value */
function picked(value: unknown, fields: Readonly<Partial<Record<keyof Subject, string>>>): Subject {
  const subject: Subject = {}
  for (const [name, field] of Object.entries(fields)) {
    const found = text(value, field)
    if (found !== undefined) Object.assign(subject, { [name]: found })
  }
  return subject
}

const given =
  (fields: Partial<Record<keyof Subject, string>>) =>
  ({ params, body }: CallFacts): Subject => ({ ...picked(body, fields), ...picked(params, fields) })
const answered =
  (fields: Partial<Record<keyof Subject, string>>) =>
  (answer: unknown): Outcome => ({ subject: picked(answer, fields) })
const reason = ({ body }: CallFacts): string | undefined => text(body, 'reason')

export const API_RULES: Rules = {
  inviteApprover: { action: 'claim.invited' },
  createKey: { action: 'key.made', made: answered({ key_id: 'id' }) },
  updateKey: { action: 'key.changed', subject: given({ key_id: 'id' }) },
  rotateKey: { action: 'key.rotated', subject: given({ key_id: 'id' }), made: answered({ name: 'id' }) },
  revokeKey: { action: 'key.revoked', subject: given({ key_id: 'id' }) },
  createMailbox: { action: 'mailbox.made', made: answered({ mailbox_id: 'id', address: 'address' }) },
  deleteMailbox: {
    action: 'mailbox.removed',
    subject: given({ mailbox_id: 'id' }),
    made: answered({ address: 'address' }),
  },
  createAlias: { action: 'alias.made', subject: given({ address: 'address' }) },
  removeAlias: { action: 'alias.removed', subject: given({ address: 'address' }) },
  deleteAccount: { action: 'account.deletion_scheduled' },
  cancelAccountDeletion: { action: 'account.deletion_cancelled' },
  createExport: { action: 'export.asked', made: answered({ export_id: 'id' }) },
  addDomain: { action: 'domain.added', subject: given({ domain: 'domain' }) },
  verifyDomain: {
    action: 'domain.verified',
    subject: given({ domain: 'domain' }),
    made: (answer) => ({ isNothing: text(answer, 'status') !== 'verified' }),
  },
  removeDomain: { action: 'domain.removed', subject: given({ domain: 'domain' }) },
  createWebhook: { action: 'webhook.made', made: answered({ webhook_id: 'id' }) },
  updateWebhook: { action: 'webhook.changed', subject: given({ webhook_id: 'id' }) },
  deleteWebhook: { action: 'webhook.removed', subject: given({ webhook_id: 'id' }) },
  rotateWebhookSecret: { action: 'webhook.secret_rotated', subject: given({ webhook_id: 'id' }) },
}

/** Subject of a command that names an account. @param field the account's id in the response */
const ofAccount = (field: string) => ({ subject: given({ name: 'account' }), made: answered({ account_id: field }) })
const wanted = given({ message_id: 'id', domain: 'domain', address: 'mailbox', account_id: 'account' })

export const ADMIN_RULES: Rules = {
  approveClaim: { action: 'claim.approved', subject: given({ address: 'address', name: 'owner' }), isWithin: true },
  declineClaim: { action: 'claim.declined', subject: given({ address: 'address' }), isWithin: true },
  createKey: { action: 'key.made', subject: given({ address: 'address' }), made: answered({ key_id: 'key_id' }) },
  beginImport: { action: 'mailbox.imported', subject: given({ address: 'address', name: 'folder' }) },
  pauseMailbox: { action: 'mailbox.paused', subject: given({ address: 'address' }), isWithin: true },
  resumeMailbox: { action: 'mailbox.resumed', subject: given({ address: 'address' }), isWithin: true },
  withdrawWaiting: {
    action: 'mailbox.mail_withdrawn',
    subject: given({ address: 'address' }),
    made: answered({ mailbox_id: 'id' }),
  },
  suspendAccount: { action: 'account.suspended', ...ofAccount('id'), reason },
  reinstateAccount: { action: 'account.reinstated', ...ofAccount('id') },
  setTrust: { action: 'account.trust_set', ...ofAccount('id') },
  deleteAccount: { action: 'account.deletion_scheduled', ...ofAccount('account_id') },
  makeSignInLink: { action: 'sign_in.link_made', ...ofAccount('account_id') },
  makeStaffSignInLink: { action: 'sign_in.link_made', subject: given({ name: 'email' }) },
  beginBackup: { action: 'backup.made', subject: given({ name: 'to' }) },
  renewCertificates: { action: 'certificate.changed' },
  revokeConnection: { action: 'connection.revoked', subject: given({ connection_id: 'id', name: 'account' }) },
  resetCorrection: { action: 'guard.changed' },
  holdQueued: { action: 'queue.held', subject: wanted, reason },
  releaseQueued: { action: 'queue.released', subject: wanted },
  retryQueued: { action: 'queue.retried', subject: wanted },
  deleteQueued: { action: 'queue.deleted', subject: wanted },
  approveMessage: { action: 'review.approved', subject: given({ message_id: 'id' }) },
  rejectMessage: { action: 'review.rejected', subject: given({ message_id: 'id' }) },
  rejectMessageAndSuspend: { action: 'account.suspended', subject: given({ message_id: 'id' }), reason },
  disableWebhook: { action: 'webhook.disabled', subject: given({ webhook_id: 'id' }), reason },
}

/** @param actorOf returns the actor of a call */
export function auditCalls(audit: Audit, rules: Rules, actorOf: (facts: CallFacts) => Actor): AuditCall {
  return (operationId, facts, change, answerOf) => {
    const rule = Object.hasOwn(rules, operationId) ? rules[operationId] : undefined
    if (!rule) return change()
    const { request } = facts
    const entry: NewEntry = {
      action: rule.action,
      actor: actorOf(facts),
      from: clientOf(request),
      requestId: request.requestId,
      subject: { ...ownOf(facts.caller), ...rule.subject?.(facts) },
      reason: rule.reason?.(facts),
    }
    if (rule.isWithin) return audit.within(entry, change)
    return audit.around(entry, change, (result) => rule.made?.(answerOf(result), facts) ?? {})
  }
}

export function clientOf({ remoteAddress, headers }: HttpRequest): { address: string; user_agent: string | null } {
  return { address: remoteAddress, user_agent: headers['user-agent'] ?? null }
}

function ownOf(caller: Caller | undefined): Subject {
  if (!caller) return {}
  return { mailbox_id: caller.mailboxId, ...(caller.account && { account_id: caller.account.id }) }
}

/** An agent by its key, or a client by its connection. */
export function callingAgent({ caller }: CallFacts): Actor {
  if (!caller) return { type: 'anonymous', id: null, name: null }
  return { type: caller.audience === undefined ? 'key' : 'connection', id: caller.keyId, name: null }
}

export const OPERATOR_HEADER = 'x-restante-user'

/** The admin token's holder is the operator; the command names the user. */
export function callingOperator({ request }: CallFacts): Actor {
  const name = request.headers[OPERATOR_HEADER] ?? ''
  return { type: 'operator', id: null, name: name === '' ? null : cut(name, 64) }
}
