/**
 * Hold rules of the operator: single messages, mailboxes, suspended accounts, domains with subdomains. Stored in the partition `meta` under `hold` · kind ·
 * value, and in memory, since every delivery checks them.
 *
 * A released rule matches nothing but stays stored until everything it held is released, so that no crash leaves a message held without a rule.
 */
import { invalidRequest, type ServiceError } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import { META_PARTITION } from '../../mailbox/keys.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { RelayTask } from '../../mailbox/tasks.js'
import type { Task } from '../../queue/types.js'
import { decode, encode, key, prefixRange } from '../../store/keys.js'
import { createSerial } from '../../lib/serial.js'
import type { Store } from '../../store/types.js'

export type HoldKind = 'message' | 'mailbox' | 'domain' | 'account'

export interface HoldRule {
  kind: HoldKind
  /** Id of a message, task, mailbox or account, or a domain. */
  value: string
  /** The mailbox's address or the account's owner, for display. */
  name: string
  /** For an account: its mailboxes when it was suspended. */
  mailboxIds?: string[]
  reason: string | null
  by: string | null
  /** Milliseconds since the epoch. */
  at: number
  released?: true
}

export interface Held {
  id: string
  messageId: string | null
  mailboxId: string | null
  domain: string
}

export type Holds = Awaited<ReturnType<typeof openHolds>>

/** Enough for single holds; a list of all of them is still a megabyte. */
const MAX_RULES = 5000
/** Including suspended accounts, which are few; as many as one read returns. */
const MAX_STORED = 2 * MAX_RULES

const ruleKey = (kind: HoldKind, value: string): Uint8Array => key('hold', kind, value)

export async function openHolds({ store }: { store: Store }) {
  const rows = await store.read(META_PARTITION, (view) => view.range({ ...prefixRange('hold'), limit: MAX_STORED }))
  const rules = new Map<string, HoldRule>()
  const nameOf = (kind: HoldKind, value: string): string => `${kind} ${value}`
  const ofAccounts = new Map<string, HoldRule>()
  const know = (rule: HoldRule): void => {
    rules.set(nameOf(rule.kind, rule.value), rule)
    for (const id of rule.mailboxIds ?? []) ofAccounts.set(id, rule)
  }
  for (const [, bytes] of rows) know(decode<HoldRule>(bytes))
  const onAccountOf = (mailboxId: string): HoldRule | undefined => {
    const rule = ofAccounts.get(mailboxId)
    return rule && inForce(rule.kind, rule.value)
  }
  const inForce = (kind: HoldKind, value: string): HoldRule | undefined => {
    const rule = rules.get(nameOf(kind, value))
    return rule?.released ? undefined : rule
  }
  // One change at a time, so that memory and store agree.
  const line = createSerial()
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => line.run('rules', change)
  const put = async (rule: HoldRule): Promise<void> => {
    await store.write(META_PARTITION, (tx) => tx.put(ruleKey(rule.kind, rule.value), encode(rule)))
    know(rule)
  }

  return {
    /** The rule that holds a task, if any. */
    matches({ id, messageId, mailboxId, domain }: Held): HoldRule | undefined {
      if (rules.size === 0) return undefined
      return (
        (messageId === null ? undefined : inForce('message', messageId)) ??
        inForce('message', id) ??
        (mailboxId === null ? undefined : (inForce('mailbox', mailboxId) ?? onAccountOf(mailboxId))) ??
        upwards(domain, (parent) => inForce('domain', parent))
      )
    },
    /** In order of creation. */
    list: (): HoldRule[] => [...rules.values()].filter(({ released }) => !released).sort((a, b) => a.at - b.at),
    /** Released rules with messages still to release. */
    released: (): HoldRule[] => [...rules.values()].filter(({ released }) => released),
    /** Durable and effective when it resolves. An existing rule gets the new reason. */
    add: (rule: HoldRule): Promise<void> =>
      inTurn(async () => {
        // A suspension must take effect however many rules there are.
        const isOneMore = rule.kind !== 'account' && !rules.has(nameOf(rule.kind, rule.value))
        if (rules.size >= MAX_RULES && isOneMore) throw tooMany()
        await put(rule)
      }),
    /** The rule matches nothing from now on. @returns false if there is none */
    release: (kind: HoldKind, value: string): Promise<boolean> =>
      inTurn(async () => {
        const rule = inForce(kind, value)
        if (rule) await put({ ...rule, released: true })
        return rule !== undefined
      }),
    /** Removes a rule whose messages are all released. */
    forget: ({ kind, value }: HoldRule): Promise<void> =>
      inTurn(async () => {
        // It may have been added again meanwhile.
        if (!rules.get(nameOf(kind, value))?.released) return
        await store.write(META_PARTITION, (tx) => tx.delete(ruleKey(kind, value)))
        rules.delete(nameOf(kind, value))
        for (const [id, rule] of ofAccounts) if (rule.value === value) ofAccounts.delete(id)
      }),
  }
}

/** True if a task is held, and that is recorded. */
export type HoldBack = (task: Pick<Task<RelayTask>, 'id' | 'payload'>) => Promise<boolean>

/** Checks before each attempt whether the operator holds the task; its sender is informed once. */
export function createHoldBack(deps: {
  holds: Pick<Holds, 'matches'>
  mailboxes: { outbound: Pick<OutboundMail, 'recordHold'> }
}): HoldBack {
  const { holds, mailboxes } = deps
  return async ({ id, payload }) => {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = payload
    const task = { id, messageId, mailboxId, domain }
    if (!holds.matches(task)) return false
    await mailboxes.outbound.recordHold(mailboxId, messageId, domain)
    // It may have been released meanwhile.
    return holds.matches(task) !== undefined
  }
}

/** @returns removes the rules about an account, its mailboxes and their messages; call it while these can still be looked up */
export function createForgetHolds(deps: {
  holds: Pick<Holds, 'list' | 'released' | 'release' | 'forget'>
  mailboxes: { outbound: Pick<OutboundMail, 'envelope'> }
}): (accountId: string, mailboxIds: ReadonlySet<string>) => Promise<void> {
  const { holds, mailboxes } = deps
  const isOfAny = async (mailboxIds: ReadonlySet<string>, messageId: string): Promise<boolean> => {
    for (const id of mailboxIds) if (await mailboxes.outbound.envelope(id, messageId)) return true
    return false
  }

  return async (accountId, mailboxIds) => {
    for (const rule of [...holds.list(), ...holds.released()]) {
      const { kind, value } = rule
      const messageId = kind === 'message' ? (value.split(':')[0] ?? '') : ''
      const isAbout =
        (kind === 'account' && value === accountId) ||
        (kind === 'mailbox' && mailboxIds.has(value)) ||
        (isId('msg', messageId) && (await isOfAny(mailboxIds, messageId)))
      if (!isAbout) continue
      await holds.release(kind, value)
      await holds.forget(rule)
    }
  }
}

/** Looks up a domain, then each parent. */
function upwards(domain: string, ask: (domain: string) => HoldRule | undefined): HoldRule | undefined {
  for (let at = 0; ;) {
    const found = ask(domain.slice(at))
    if (found) return found
    const dot = domain.indexOf('.', at)
    if (dot === -1) return undefined
    at = dot + 1
  }
}

function tooMany(): ServiceError {
  return invalidRequest(
    `There are ${MAX_RULES} rules that hold mail already.`,
    'Hold a whole domain or mailbox instead of single messages, or release some: restante queue holds lists them.',
  )
}
