/** A client of Restante, a mailbox service for software agents: claim an address, send, read, and wait for mail. Node 20.19+, no dependency. */
export { claim, solve, type ClaimOptions, type Claimed } from './claim.js'
export { Restante, type RestanteOptions, type CallOptions, type SendOptions, type WaitOptions } from './client.js'
export { RestanteError } from './errors.js'
export { verifyWebhook, WebhookError, type WebhookHeaders, type WebhookSecrets } from './webhook.js'
export type * from './operations.js'
