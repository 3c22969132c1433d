/** A method for each operation, made from the description of the service (`npm run docs`): not to be changed by hand. */
import type { CallOptions, CallSettings, OperationName } from './calls.js'
import type { Operations } from './operations.js'
import { entriesOf } from './pages.js'

type Part<N extends OperationName, K extends string> = Operations[N] extends { [key in K]?: infer T }
  ? NonNullable<T>
  : unknown
/** What an operation is given beside the names in its path: its query and its body. */
export type Fields<N extends OperationName> = Part<N, 'query'> & Part<N, 'body'>
type Answer<N extends OperationName> = Promise<Operations[N]['response']>
type Entry<N extends OperationName> = Operations[N]['response'] extends { data: (infer T)[] } ? T : never

export abstract class OperationMethods {
  abstract call<N extends OperationName>(name: N, options: CallOptions<N>): Promise<Operations[N]['response']>
  /** Describe the service: `GET /`. */
  getService(settings: CallSettings = {}): Answer<'getService'> {
    return this.call('getService', { ...settings })
  }
  /** Get whether the service is ready: `GET /healthz`. */
  getHealth(fields: Fields<'getHealth'> = {}, settings: CallSettings = {}): Answer<'getHealth'> {
    return this.call('getHealth', { query: fields, ...settings })
  }
  /** Get this description as YAML: `GET /v1/openapi.yaml`. */
  getOpenapi(settings: CallSettings = {}): Answer<'getOpenapi'> {
    return this.call('getOpenapi', { ...settings })
  }
  /** Get this description as JSON: `GET /v1/openapi.json`. */
  getOpenapiJson(settings: CallSettings = {}): Answer<'getOpenapiJson'> {
    return this.call('getOpenapiJson', { ...settings })
  }
  /** Get a proof-of-work challenge: `GET /v1/claim/challenge`. */
  getClaimChallenge(settings: CallSettings = {}): Answer<'getClaimChallenge'> {
    return this.call('getClaimChallenge', { ...settings })
  }
  /** Claim a mailbox address: `POST /v1/claim`. */
  claimMailbox(fields: Fields<'claimMailbox'>, settings: CallSettings = {}): Answer<'claimMailbox'> {
    return this.call('claimMailbox', { body: fields, ...settings })
  }
  /** Send the claim link to a human by mail: `POST /v1/claim/notify`. */
  inviteApprover(fields: Fields<'inviteApprover'>, settings: CallSettings = {}): Answer<'inviteApprover'> {
    return this.call('inviteApprover', { body: fields, ...settings })
  }
  /** Get the status of the claim: `GET /v1/claim/status`. */
  getClaimStatus(settings: CallSettings = {}): Answer<'getClaimStatus'> {
    return this.call('getClaimStatus', { ...settings })
  }
  /** List or search conversations: `GET /v1/threads`. */
  listThreads(fields: Fields<'listThreads'> = {}, settings: CallSettings = {}): Answer<'listThreads'> {
    return this.call('listThreads', { query: fields, ...settings })
  }
  /** Label many conversations, or mark them as read: `PATCH /v1/threads`. */
  updateThreads(fields: Fields<'updateThreads'>, settings: CallSettings = {}): Answer<'updateThreads'> {
    return this.call('updateThreads', { body: fields, ...settings })
  }
  /** Read a conversation: `GET /v1/threads/{id}`. */
  getThread(id: string, fields: Fields<'getThread'> = {}, settings: CallSettings = {}): Answer<'getThread'> {
    return this.call('getThread', { params: { id }, query: fields, ...settings })
  }
  /** Label a conversation, or mark it as read: `PATCH /v1/threads/{id}`. */
  updateThread(id: string, fields: Fields<'updateThread'> = {}, settings: CallSettings = {}): Answer<'updateThread'> {
    return this.call('updateThread', { params: { id }, body: fields, ...settings })
  }
  /** Move a conversation to the trash: `DELETE /v1/threads/{id}`. */
  deleteThread(id: string, settings: CallSettings = {}): Answer<'deleteThread'> {
    return this.call('deleteThread', { params: { id }, ...settings })
  }
  /** List or search messages: `GET /v1/messages`. */
  listMessages(fields: Fields<'listMessages'> = {}, settings: CallSettings = {}): Answer<'listMessages'> {
    return this.call('listMessages', { query: fields, ...settings })
  }
  /** Label many messages, or mark them as read: `PATCH /v1/messages`. */
  updateMessages(fields: Fields<'updateMessages'>, settings: CallSettings = {}): Answer<'updateMessages'> {
    return this.call('updateMessages', { body: fields, ...settings })
  }
  /** Read a message: `GET /v1/messages/{id}`. */
  getMessage(id: string, settings: CallSettings = {}): Answer<'getMessage'> {
    return this.call('getMessage', { params: { id }, ...settings })
  }
  /** Label a message, or mark it as read: `PATCH /v1/messages/{id}`. */
  updateMessage(
    id: string,
    fields: Fields<'updateMessage'> = {},
    settings: CallSettings = {},
  ): Answer<'updateMessage'> {
    return this.call('updateMessage', { params: { id }, body: fields, ...settings })
  }
  /** Move a message to the trash: `DELETE /v1/messages/{id}`. */
  deleteMessage(id: string, settings: CallSettings = {}): Answer<'deleteMessage'> {
    return this.call('deleteMessage', { params: { id }, ...settings })
  }
  /** Download a message as it was sent: `GET /v1/messages/{id}/raw`. */
  getRawMessage(id: string, settings: CallSettings = {}): Answer<'getRawMessage'> {
    return this.call('getRawMessage', { params: { id }, ...settings })
  }
  /** Download an attachment: `GET /v1/messages/{id}/attachments/{attachment_id}`. */
  getAttachment(id: string, attachment_id: string, settings: CallSettings = {}): Answer<'getAttachment'> {
    return this.call('getAttachment', { params: { id, attachment_id }, ...settings })
  }
  /** List the MIME parts of a message: `GET /v1/messages/{id}/parts`. */
  listMessageParts(id: string, settings: CallSettings = {}): Answer<'listMessageParts'> {
    return this.call('listMessageParts', { params: { id }, ...settings })
  }
  /** Download a MIME part of a message: `GET /v1/messages/{id}/parts/{part}`. */
  getMessagePart(id: string, part: string, settings: CallSettings = {}): Answer<'getMessagePart'> {
    return this.call('getMessagePart', { params: { id, part }, ...settings })
  }
  /** Restore a message from the trash: `POST /v1/messages/{id}/restore`. */
  restoreMessage(id: string, settings: CallSettings = {}): Answer<'restoreMessage'> {
    return this.call('restoreMessage', { params: { id }, ...settings })
  }
  /** Restore a conversation from the trash: `POST /v1/threads/{id}/restore`. */
  restoreThread(id: string, settings: CallSettings = {}): Answer<'restoreThread'> {
    return this.call('restoreThread', { params: { id }, ...settings })
  }
  /** List the trash: `GET /v1/trash`. */
  listTrash(fields: Fields<'listTrash'> = {}, settings: CallSettings = {}): Answer<'listTrash'> {
    return this.call('listTrash', { query: fields, ...settings })
  }
  /** Empty the trash: `DELETE /v1/trash`. */
  emptyTrash(settings: CallSettings = {}): Answer<'emptyTrash'> {
    return this.call('emptyTrash', { ...settings })
  }
  /** Delete a message permanently: `DELETE /v1/trash/{id}`. */
  purgeMessage(id: string, settings: CallSettings = {}): Answer<'purgeMessage'> {
    return this.call('purgeMessage', { params: { id }, ...settings })
  }
  /** Send a message: `POST /v1/send`. */
  sendMessage(fields: Fields<'sendMessage'>, settings: CallSettings = {}): Answer<'sendMessage'> {
    const { dry_run, ...body } = fields
    return this.call('sendMessage', { query: { dry_run }, body, ...settings })
  }
  /** Answer a message: `POST /v1/messages/{id}/reply`. */
  replyToMessage(
    id: string,
    fields: Fields<'replyToMessage'> = {},
    settings: CallSettings = {},
  ): Answer<'replyToMessage'> {
    const { dry_run, ...body } = fields
    return this.call('replyToMessage', { params: { id }, query: { dry_run }, body, ...settings })
  }
  /** Answer everybody on a message: `POST /v1/messages/{id}/reply-all`. */
  replyToAll(id: string, fields: Fields<'replyToAll'> = {}, settings: CallSettings = {}): Answer<'replyToAll'> {
    const { dry_run, ...body } = fields
    return this.call('replyToAll', { params: { id }, query: { dry_run }, body, ...settings })
  }
  /** Forward a message: `POST /v1/messages/{id}/forward`. */
  forwardMessage(id: string, fields: Fields<'forwardMessage'>, settings: CallSettings = {}): Answer<'forwardMessage'> {
    const { dry_run, ...body } = fields
    return this.call('forwardMessage', { params: { id }, query: { dry_run }, body, ...settings })
  }
  /** Cancel a message that is not sent yet: `POST /v1/messages/{id}/cancel`. */
  cancelMessage(id: string, settings: CallSettings = {}): Answer<'cancelMessage'> {
    return this.call('cancelMessage', { params: { id }, ...settings })
  }
  /** Create a draft: `POST /v1/drafts`. */
  createDraft(fields: Fields<'createDraft'> = {}, settings: CallSettings = {}): Answer<'createDraft'> {
    return this.call('createDraft', { body: fields, ...settings })
  }
  /** List drafts: `GET /v1/drafts`. */
  listDrafts(fields: Fields<'listDrafts'> = {}, settings: CallSettings = {}): Answer<'listDrafts'> {
    return this.call('listDrafts', { query: fields, ...settings })
  }
  /** Read a draft: `GET /v1/drafts/{id}`. */
  getDraft(id: string, settings: CallSettings = {}): Answer<'getDraft'> {
    return this.call('getDraft', { params: { id }, ...settings })
  }
  /** Change a draft: `PATCH /v1/drafts/{id}`. */
  updateDraft(id: string, fields: Fields<'updateDraft'> = {}, settings: CallSettings = {}): Answer<'updateDraft'> {
    return this.call('updateDraft', { params: { id }, body: fields, ...settings })
  }
  /** Delete a draft: `DELETE /v1/drafts/{id}`. */
  deleteDraft(id: string, settings: CallSettings = {}): Answer<'deleteDraft'> {
    return this.call('deleteDraft', { params: { id }, ...settings })
  }
  /** Send a draft: `POST /v1/drafts/{id}/send`. */
  sendDraft(id: string, fields: Fields<'sendDraft'> = {}, settings: CallSettings = {}): Answer<'sendDraft'> {
    return this.call('sendDraft', { params: { id }, query: fields, ...settings })
  }
  /** Read events, or wait for one: `GET /v1/events`. */
  listEvents(fields: Fields<'listEvents'> = {}, settings: CallSettings = {}): Answer<'listEvents'> {
    return this.call('listEvents', { query: fields, ...settings })
  }
  /** Have events posted to a URL: `POST /v1/webhooks`. */
  createWebhook(fields: Fields<'createWebhook'>, settings: CallSettings = {}): Answer<'createWebhook'> {
    return this.call('createWebhook', { body: fields, ...settings })
  }
  /** List webhooks: `GET /v1/webhooks`. */
  listWebhooks(settings: CallSettings = {}): Answer<'listWebhooks'> {
    return this.call('listWebhooks', { ...settings })
  }
  /** See a webhook, and how far its deliveries are: `GET /v1/webhooks/{id}`. */
  getWebhook(id: string, settings: CallSettings = {}): Answer<'getWebhook'> {
    return this.call('getWebhook', { params: { id }, ...settings })
  }
  /** Change, disable or enable a webhook: `PATCH /v1/webhooks/{id}`. */
  updateWebhook(
    id: string,
    fields: Fields<'updateWebhook'> = {},
    settings: CallSettings = {},
  ): Answer<'updateWebhook'> {
    return this.call('updateWebhook', { params: { id }, body: fields, ...settings })
  }
  /** Remove a webhook: `DELETE /v1/webhooks/{id}`. */
  deleteWebhook(id: string, settings: CallSettings = {}): Answer<'deleteWebhook'> {
    return this.call('deleteWebhook', { params: { id }, ...settings })
  }
  /** Make a new secret: `POST /v1/webhooks/{id}/rotate-secret`. */
  rotateWebhookSecret(
    id: string,
    fields: Fields<'rotateWebhookSecret'> = {},
    settings: CallSettings = {},
  ): Answer<'rotateWebhookSecret'> {
    return this.call('rotateWebhookSecret', { params: { id }, body: fields, ...settings })
  }
  /** Post a test event now, and see the answer: `POST /v1/webhooks/{id}/test`. */
  testWebhook(id: string, settings: CallSettings = {}): Answer<'testWebhook'> {
    return this.call('testWebhook', { params: { id }, ...settings })
  }
  /** List deliveries: `GET /v1/webhooks/{id}/deliveries`. */
  listWebhookDeliveries(
    id: string,
    fields: Fields<'listWebhookDeliveries'> = {},
    settings: CallSettings = {},
  ): Answer<'listWebhookDeliveries'> {
    return this.call('listWebhookDeliveries', { params: { id }, query: fields, ...settings })
  }
  /** See a delivery: what was sent, and what was answered: `GET /v1/webhooks/{id}/deliveries/{delivery_id}`. */
  getWebhookDelivery(id: string, delivery_id: string, settings: CallSettings = {}): Answer<'getWebhookDelivery'> {
    return this.call('getWebhookDelivery', { params: { id, delivery_id }, ...settings })
  }
  /** Post an event again now, and see the answer: `POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver`. */
  redeliverWebhook(id: string, delivery_id: string, settings: CallSettings = {}): Answer<'redeliverWebhook'> {
    return this.call('redeliverWebhook', { params: { id, delivery_id }, ...settings })
  }
  /** Have all events past one delivered again: `POST /v1/webhooks/{id}/replay`. */
  replayWebhook(id: string, fields: Fields<'replayWebhook'>, settings: CallSettings = {}): Answer<'replayWebhook'> {
    return this.call('replayWebhook', { params: { id }, body: fields, ...settings })
  }
  /** List addresses that mail may not be sent to: `GET /v1/suppressions`. */
  listSuppressions(fields: Fields<'listSuppressions'> = {}, settings: CallSettings = {}): Answer<'listSuppressions'> {
    return this.call('listSuppressions', { query: fields, ...settings })
  }
  /** Remove an address from the suppression list: `DELETE /v1/suppressions/{address}`. */
  removeSuppression(address: string, settings: CallSettings = {}): Answer<'removeSuppression'> {
    return this.call('removeSuppression', { params: { address }, ...settings })
  }
  /** Get the mailbox of this key: `GET /v1/mailbox`. */
  getMailbox(settings: CallSettings = {}): Answer<'getMailbox'> {
    return this.call('getMailbox', { ...settings })
  }
  /** Set the name, signature and rules of the mailbox: `PATCH /v1/mailbox`. */
  updateMailbox(fields: Fields<'updateMailbox'> = {}, settings: CallSettings = {}): Answer<'updateMailbox'> {
    return this.call('updateMailbox', { body: fields, ...settings })
  }
  /** List the mailboxes of the account: `GET /v1/mailboxes`. */
  listMailboxes(fields: Fields<'listMailboxes'> = {}, settings: CallSettings = {}): Answer<'listMailboxes'> {
    return this.call('listMailboxes', { query: fields, ...settings })
  }
  /** Create another mailbox of the account: `POST /v1/mailboxes`. */
  createMailbox(fields: Fields<'createMailbox'>, settings: CallSettings = {}): Answer<'createMailbox'> {
    return this.call('createMailbox', { body: fields, ...settings })
  }
  /** Delete a mailbox of the account with all its mail: `DELETE /v1/mailboxes/{id}`. */
  deleteMailbox(id: string, settings: CallSettings = {}): Answer<'deleteMailbox'> {
    return this.call('deleteMailbox', { params: { id }, ...settings })
  }
  /** List the aliases of this mailbox: `GET /v1/aliases`. */
  listAliases(settings: CallSettings = {}): Answer<'listAliases'> {
    return this.call('listAliases', { ...settings })
  }
  /** Add an alias to this mailbox: `POST /v1/aliases`. */
  createAlias(fields: Fields<'createAlias'>, settings: CallSettings = {}): Answer<'createAlias'> {
    return this.call('createAlias', { body: fields, ...settings })
  }
  /** Remove an alias: `DELETE /v1/aliases/{address}`. */
  removeAlias(address: string, settings: CallSettings = {}): Answer<'removeAlias'> {
    return this.call('removeAlias', { params: { address }, ...settings })
  }
  /** List the domains of the account: `GET /v1/domains`. */
  listDomains(settings: CallSettings = {}): Answer<'listDomains'> {
    return this.call('listDomains', { ...settings })
  }
  /** Add a custom domain: `POST /v1/domains`. */
  addDomain(fields: Fields<'addDomain'>, settings: CallSettings = {}): Answer<'addDomain'> {
    return this.call('addDomain', { body: fields, ...settings })
  }
  /** Get a domain and the DNS records it needs: `GET /v1/domains/{domain}`. */
  getDomain(domain: string, settings: CallSettings = {}): Answer<'getDomain'> {
    return this.call('getDomain', { params: { domain }, ...settings })
  }
  /** Remove a domain: `DELETE /v1/domains/{domain}`. */
  removeDomain(domain: string, settings: CallSettings = {}): Answer<'removeDomain'> {
    return this.call('removeDomain', { params: { domain }, ...settings })
  }
  /** Check the DNS records of a domain: `POST /v1/domains/{domain}/verify`. */
  verifyDomain(domain: string, settings: CallSettings = {}): Answer<'verifyDomain'> {
    return this.call('verifyDomain', { params: { domain }, ...settings })
  }
  /** List an allow or block list of this mailbox: `GET /v1/lists/{direction}/{type}`. */
  listEntries(
    direction: Operations['listEntries']['params']['direction'],
    type: Operations['listEntries']['params']['type'],
    fields: Fields<'listEntries'> = {},
    settings: CallSettings = {},
  ): Answer<'listEntries'> {
    return this.call('listEntries', { params: { direction, type }, query: fields, ...settings })
  }
  /** Add an address or a domain to a list: `POST /v1/lists/{direction}/{type}`. */
  addEntry(
    direction: Operations['addEntry']['params']['direction'],
    type: Operations['addEntry']['params']['type'],
    fields: Fields<'addEntry'>,
    settings: CallSettings = {},
  ): Answer<'addEntry'> {
    return this.call('addEntry', { params: { direction, type }, body: fields, ...settings })
  }
  /** Get one entry of a list: `GET /v1/lists/{direction}/{type}/{entry}`. */
  getEntry(
    direction: Operations['getEntry']['params']['direction'],
    type: Operations['getEntry']['params']['type'],
    entry: string,
    settings: CallSettings = {},
  ): Answer<'getEntry'> {
    return this.call('getEntry', { params: { direction, type, entry }, ...settings })
  }
  /** Remove an address or a domain from a list: `DELETE /v1/lists/{direction}/{type}/{entry}`. */
  removeEntry(
    direction: Operations['removeEntry']['params']['direction'],
    type: Operations['removeEntry']['params']['type'],
    entry: string,
    settings: CallSettings = {},
  ): Answer<'removeEntry'> {
    return this.call('removeEntry', { params: { direction, type, entry }, ...settings })
  }
  /** Read limits and usage: `GET /v1/account/usage`. */
  getUsage(settings: CallSettings = {}): Answer<'getUsage'> {
    return this.call('getUsage', { ...settings })
  }
  /** List the keys of this mailbox: `GET /v1/keys`. */
  listKeys(settings: CallSettings = {}): Answer<'listKeys'> {
    return this.call('listKeys', { ...settings })
  }
  /** Create another key for this mailbox: `POST /v1/keys`. */
  createKey(fields: Fields<'createKey'> = {}, settings: CallSettings = {}): Answer<'createKey'> {
    return this.call('createKey', { body: fields, ...settings })
  }
  /** Rename a key, or set whether its mail needs approval: `PATCH /v1/keys/{id}`. */
  updateKey(id: string, fields: Fields<'updateKey'> = {}, settings: CallSettings = {}): Answer<'updateKey'> {
    return this.call('updateKey', { params: { id }, body: fields, ...settings })
  }
  /** Revoke a key: `DELETE /v1/keys/{id}`. */
  revokeKey(id: string, settings: CallSettings = {}): Answer<'revokeKey'> {
    return this.call('revokeKey', { params: { id }, ...settings })
  }
  /** Rotate a key: `POST /v1/keys/{id}/rotate`. */
  rotateKey(id: string, settings: CallSettings = {}): Answer<'rotateKey'> {
    return this.call('rotateKey', { params: { id }, ...settings })
  }
  /** Get the account of this mailbox: `GET /v1/account`. */
  getAccount(settings: CallSettings = {}): Answer<'getAccount'> {
    return this.call('getAccount', { ...settings })
  }
  /** Delete the account with all its mailboxes, after 30 days: `DELETE /v1/account`. */
  deleteAccount(settings: CallSettings = {}): Answer<'deleteAccount'> {
    return this.call('deleteAccount', { ...settings })
  }
  /** Cancel the deletion of the account: `POST /v1/account/deletion/cancel`. */
  cancelAccountDeletion(settings: CallSettings = {}): Answer<'cancelAccountDeletion'> {
    return this.call('cancelAccountDeletion', { ...settings })
  }
  /** Request an archive of all mail and data of the account: `POST /v1/account/export`. */
  createExport(settings: CallSettings = {}): Answer<'createExport'> {
    return this.call('createExport', { ...settings })
  }
  /** List exports: `GET /v1/account/exports`. */
  listExports(settings: CallSettings = {}): Answer<'listExports'> {
    return this.call('listExports', { ...settings })
  }
  /** Get the progress and download URL of an export: `GET /v1/account/exports/{id}`. */
  getExport(id: string, settings: CallSettings = {}): Answer<'getExport'> {
    return this.call('getExport', { params: { id }, ...settings })
  }
  /** Every entry of `listThreads`, page by page. */
  threads(fields: Fields<'listThreads'> = {}, settings: CallSettings = {}): AsyncGenerator<Entry<'listThreads'>, void> {
    return entriesOf((cursor) => this.listThreads({ ...fields, cursor }, settings), fields.cursor)
  }
  /** Every entry of `listMessages`, page by page. */
  messages(
    fields: Fields<'listMessages'> = {},
    settings: CallSettings = {},
  ): AsyncGenerator<Entry<'listMessages'>, void> {
    return entriesOf((cursor) => this.listMessages({ ...fields, cursor }, settings), fields.cursor)
  }
  /** Every entry of `listTrash`, page by page. */
  trash(fields: Fields<'listTrash'> = {}, settings: CallSettings = {}): AsyncGenerator<Entry<'listTrash'>, void> {
    return entriesOf((cursor) => this.listTrash({ ...fields, cursor }, settings), fields.cursor)
  }
  /** Every entry of `listDrafts`, page by page. */
  drafts(fields: Fields<'listDrafts'> = {}, settings: CallSettings = {}): AsyncGenerator<Entry<'listDrafts'>, void> {
    return entriesOf((cursor) => this.listDrafts({ ...fields, cursor }, settings), fields.cursor)
  }
  /** Every entry of `listWebhookDeliveries`, page by page. */
  webhookDeliveries(
    id: string,
    fields: Fields<'listWebhookDeliveries'> = {},
    settings: CallSettings = {},
  ): AsyncGenerator<Entry<'listWebhookDeliveries'>, void> {
    return entriesOf((cursor) => this.listWebhookDeliveries(id, { ...fields, cursor }, settings), fields.cursor)
  }
  /** Every entry of `listSuppressions`, page by page. */
  suppressions(
    fields: Fields<'listSuppressions'> = {},
    settings: CallSettings = {},
  ): AsyncGenerator<Entry<'listSuppressions'>, void> {
    return entriesOf((cursor) => this.listSuppressions({ ...fields, cursor }, settings), fields.cursor)
  }
  /** Every entry of `listMailboxes`, page by page. */
  mailboxes(
    fields: Fields<'listMailboxes'> = {},
    settings: CallSettings = {},
  ): AsyncGenerator<Entry<'listMailboxes'>, void> {
    return entriesOf((cursor) => this.listMailboxes({ ...fields, cursor }, settings), fields.cursor)
  }
  /** Every entry of `listEntries`, page by page. */
  entries(
    direction: Operations['listEntries']['params']['direction'],
    type: Operations['listEntries']['params']['type'],
    fields: Fields<'listEntries'> = {},
    settings: CallSettings = {},
  ): AsyncGenerator<Entry<'listEntries'>, void> {
    return entriesOf((cursor) => this.listEntries(direction, type, { ...fields, cursor }, settings), fields.cursor)
  }
}
