/** Examples of webhooks for the API description. */
import type { DeliveryDetails, DeliveryObject, WebhookObject, WebhookTest } from '../../../mailbox/webhooks/objects.js'

export const WEBHOOK_ID = 'whk_01K7E8GQ5M1T9Q4Y7RZV3B2XNA'
const MAILBOX_ID = 'mbx_01K7E8GQ5M1T9Q4Y7RZV3B2XNB'
const EVENT_ID = 'evt_01K7E8GQ5M1T9Q4Y7RZV3B2XNC'
const AT = '2026-01-01T12:00:00.000Z'

const ATTEMPT: DeliveryDetails['attempt_log'][number] = {
  at: AT,
  took_ms: 42,
  status_code: 204,
  problem: null,
  response_body: 'ok',
  by_hand: false,
}

const REQUEST: DeliveryDetails['request'] = {
  url: 'https://hooks.example.org/restante',
  headers: {
    'content-type': 'application/json',
    'webhook-id': EVENT_ID,
    'webhook-timestamp': '1767268800',
    'webhook-signature':
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  },
  body_bytes: 212,
  body_sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
}

export const WEBHOOK: WebhookObject = {
  id: WEBHOOK_ID,
  object: 'webhook',
  mailbox_id: MAILBOX_ID,
  url: 'https://hooks.example.org/restante',
  events: ['message.received', 'message.status'],
  include_spam: false,
  description: 'Inbox',
  enabled: true,
  disabled: null,
  public_keys: [{ key: 'whpk_7NsfvVn1yCfGTyIDd1pUO5vGyMTUyT+MQ8qkEiBvHGA=', signs_until: null }],
  deliveries: {
    last_seq: 41,
    events_waiting: 0,
    retries_waiting: 0,
    failing_since: null,
    paused_until: null,
    last_success_at: AT,
    last_failure_at: null,
    missed: null,
  },
  created_by: 'key_01K7E8GQ5M1T9Q4Y7RZV3B2XND',
  created_at: AT,
  updated_at: AT,
}

export const WEBHOOK_WITH_SECRET = { ...WEBHOOK, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs=' }

export const DELIVERY: DeliveryObject = {
  id: 'dlv_01K7E8GQ5M1T9Q4Y7RZV3B2XNC',
  object: 'webhook_delivery',
  webhook_id: WEBHOOK_ID,
  event: { id: EVENT_ID, object: 'event', seq: 41, type: 'message.received' },
  status: 'succeeded',
  attempts: 1,
  last_attempt: ATTEMPT,
  next_attempt_at: null,
  created_at: AT,
}

export const DELIVERY_DETAILS: DeliveryDetails = {
  ...DELIVERY,
  request: REQUEST,
  body: {
    seq: 41,
    id: EVENT_ID,
    object: 'event',
    type: 'message.received',
    timestamp: AT,
    mailbox_id: MAILBOX_ID,
    data: { message_id: 'msg_01K7E8GQ5M1T9Q4Y7RZV3B2XNE', subject: 'Hello' },
  },
  attempt_log: [ATTEMPT],
}

export const WEBHOOK_TEST: WebhookTest = {
  taken: true,
  event: { id: EVENT_ID, object: 'event', type: 'webhook.test' },
  request: REQUEST,
  attempt: { ...ATTEMPT, by_hand: true },
}
