/** A client of Restante, a mailbox service for software agents: claim an address, send, read, and wait for mail. Node 20.19+, no dependency. */
export { attachment } from './attachments.js'
export type { CallOptions, CallSettings, RestanteOptions } from './calls.js'
export { claim, solve, type ClaimOptions, type Claimed } from './claim.js'
export { Restante, type ApprovalOptions, type Code, type SendFields, type WaitOptions } from './client.js'
export { RestanteError } from './errors.js'
export type { Fields } from './methods.js'
export { verifyWebhook, WebhookError, type WebhookHeaders, type WebhookSecrets } from './webhook.js'
export type * from './operations.js'
