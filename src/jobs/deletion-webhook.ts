/**
 * Notifies the operator's own systems (billing, say) of deleted accounts: a POST signed by Standard Webhooks (standardwebhooks.com), tried by the schedule of
 * mail and then once a day. The receiver may get one twice, and knows it by its `webhook-id`.
 */
import { createHmac } from 'node:crypto'
import type { DeletionWebhookTask } from '../lifecycle/deletion/types.js'
import { DAY, SECOND, timestamp, type Clock } from '../lib/clock.js'
import { sendRequest } from '../lib/http-client.js'
import { messageOf } from '../lib/thrown.js'
import type { Log } from '../observe/log.js'
import { nextWait, randomJitter } from '../relay/schedule.js'
import type { Task, TaskOutcome } from '../queue/types.js'

export interface DeletionWebhook {
  url: string
  secret: Uint8Array
}

export interface DeletionWebhookDeps {
  webhook: DeletionWebhook | undefined
  clock: Clock
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** In [-1, 1), for the waits. */
  jitter?: () => number
}

const TIMEOUT_MS = 15 * SECOND
const GIVEN_UP_AFTER_MS = 30 * DAY

export function createDeletionWebhook(deps: DeletionWebhookDeps) {
  const { webhook, clock, log, jitter = randomJitter } = deps
  return async (task: Task<DeletionWebhookTask>): Promise<TaskOutcome<DeletionWebhookTask>> => {
    const about = { account_id: task.payload.account_id, task_id: task.id, attempt: task.attempts + 1 }
    const problem = webhook
      ? await post(webhook, task.id, task.payload, clock.now())
      : 'identity.deletion_webhook is not set any more'
    if (problem === undefined) {
      log.info(about, 'the webhook accepted the deletion of an account')
      return { done: true }
    }
    if (clock.now() >= task.queuedAt + GIVEN_UP_AFTER_MS) {
      log.error(
        { ...about, problem },
        'the webhook never accepted the deletion of this account; close its records by hand',
      )
      return { done: true }
    }
    const wait = nextWait(task.attempts + 1, jitter()) ?? DAY
    log.warn(
      { ...about, problem, next_attempt_at: timestamp(clock.now() + wait) },
      'the webhook did not accept the deletion of an account',
    )
    return { done: false, retryAt: clock.now() + wait }
  }
}

/** @returns what went wrong; undefined when it was taken (2xx) */
async function post(
  { url, secret }: DeletionWebhook,
  id: string,
  { account_id, deleted_at }: DeletionWebhookTask,
  now: number,
): Promise<string | undefined> {
  const body = JSON.stringify({ event: 'account.deleted', account_id, deleted_at: timestamp(deleted_at) })
  const seconds = String(Math.floor(now / SECOND))
  try {
    const { status } = await sendRequest({
      url: new URL(url),
      method: 'POST',
      body: Buffer.from(body),
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,${sign(secret, `${id}.${seconds}.${body}`)}`,
      },
      timeoutMs: TIMEOUT_MS,
      maxBytes: 0,
      cutsOff: true,
    })
    return status >= 200 && status < 300 ? undefined : `it answered with status ${status}`
  } catch (error) {
    return messageOf(error)
  }
}

function sign(secret: Uint8Array, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64')
}

/** Key of a secret file: `whsec_` and base64, as tools for Standard Webhooks write it, or any other text. */
export function webhookKey(text: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  return encoded === undefined ? Buffer.from(text) : Buffer.from(encoded, 'base64')
}
