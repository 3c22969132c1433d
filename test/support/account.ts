/** The record of an account as tests begin with it: active, at trust level 0, without an owner. */
import type { AccountRecord } from '../../src/accounts/types.js'

export function accountRecord(changes: Partial<AccountRecord> = {}): AccountRecord {
  return { id: 'acc_1', owner: null, status: 'active', suspension: null, trust: 0, createdAt: 0, ...changes }
}
