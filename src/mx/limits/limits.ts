/** Limits per message and client, each declared only here. */
import type { ConnectionLimits } from '../../smtp/server/admissions.js'
import type { DataLimits } from '../../smtp/server/receive.js'

export interface MxLimits extends ConnectionLimits, DataLimits {
  /** Per message. */
  maxRecipients: number
  maxReceived: number
}

/** The part of one of `count` processes, which still holds two of the largest messages. */
export function shareOf(bytes: number, count: number, maxMessageBytes: number): number {
  return Math.max(Math.ceil(bytes / count), 2 * maxMessageBytes)
}
