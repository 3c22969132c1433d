/** Reads requests before validation; malformed ones are ignored here and refused later. */
import type { RequestId } from '@modelcontextprotocol/server'
import type { Scope } from '../../../accounts/types.js'
import { scopesIn } from '../../../http/limits/authorize.js'
import { TOOLS_BY_NAME } from '../tools/tools.js'

export function neededScopes(messages: readonly unknown[]): Scope[] {
  return messages.flatMap((message): readonly Scope[] => {
    const { method, params } = fieldsOf(message)
    switch (method) {
      case 'tools/call': {
        const { name } = fieldsOf(params)
        return scopesIn(typeof name === 'string' ? TOOLS_BY_NAME.get(name)?.scope : undefined)
      }
      case 'prompts/get':
      case 'resources/read':
        return ['mail:read']
      default:
        return []
    }
  })
}

export function cancelledIds(messages: readonly unknown[]): RequestId[] {
  return messages.flatMap((message) => {
    const { method, params } = fieldsOf(message)
    const { requestId } = fieldsOf(params)
    const isId = typeof requestId === 'string' || typeof requestId === 'number'
    return method === 'notifications/cancelled' && isId ? [requestId] : []
  })
}

const NOTHING: Readonly<Record<string, unknown>> = {}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : NOTHING
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
