/** Errors for owners of webhooks. */
import { invalidRequest, ServiceError } from '../../lib/errors.js'

export function noSuchWebhook(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such webhook.',
    'Check the id; list what exists with GET /v1/webhooks.',
  )
}

export function noSuchDelivery(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such delivery.',
    'Check the id; the last ones are listed at GET /v1/webhooks/{id}/deliveries.',
  )
}

export function tooMany(max: number): ServiceError {
  return invalidRequest(
    `The mailbox has ${max} webhooks already.`,
    'Remove one with DELETE /v1/webhooks/{id}, or change the URL or events of one with PATCH.',
  )
}

export function cannotReplay(oldest: number, newest: number): ServiceError {
  return invalidRequest(
    'Events cannot be delivered again from there.',
    `The oldest event that is kept has seq ${oldest}, the newest ${newest}: give an \`after\` from ${oldest - 1} to ${newest}.`,
    [{ field: 'after', problem: `It must be from ${oldest - 1} to ${newest}.` }],
  )
}
