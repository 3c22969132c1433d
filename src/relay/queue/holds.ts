/**
 * Hold rules of the operator: single messages, mailboxes, suspended accounts, domains with subdomains. Stored in the partition `meta` under `hold` · kind ·
 * value, and in memory, since every delivery checks them: as they are in the store at that moment, whichever process changed them.
 *
 * A released rule matches nothing but stays stored until everything it held is released, so that no crash leaves a message held without a rule.
 */
import { invalidRequest, type ServiceError } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import { after, type Maybe } from '../../lib/maybe.js'
import { META_PARTITION } from '../../mailbox/keys.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { RelayTask } from '../../mailbox/tasks.js'
import type { Task } from '../../queue/types.js'
import { decode, encode, key, prefixRange } from '../../store/keys.js'
import { readValue } from '../../store/values.js'
import type { Store, View } from '../../store/types.js'
import { createWatched } from '../../store/watched.js'

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

export type Holds = ReturnType<typeof createHoldRules>

/** Enough for single holds; a list of all of them is still a megabyte. */
const MAX_RULES = 5000
/** Including suspended accounts, which are few; as many as one read returns. */
const MAX_STORED = 2 * MAX_RULES

const ruleKey = (kind: HoldKind, value: string): Uint8Array => key('hold', kind, value)

export function createHoldRules({ store }: { store: Store }) {
  const rules = createWatched({ store, partition: META_PARTITION, read: readRules })

  return {
    /** The rule that holds a task now, if any. */
    matches: (held: Held): Maybe<HoldRule | undefined> => after(rules(), (known) => matching(known, held)),
    /** In order of creation. */
    list: async (): Promise<HoldRule[]> =>
      [...(await rules()).byName.values()].filter(({ released }) => !released).sort((a, b) => a.at - b.at),
    /** Released rules with messages still to release. */
    released: async (): Promise<HoldRule[]> => [...(await rules()).byName.values()].filter(({ released }) => released),
    /** Durable and effective when it resolves. An existing rule gets the new reason. */
    add: (rule: HoldRule): Promise<void> =>
      store.write(META_PARTITION, async (tx) => {
        const { byName } = await readRules(tx)
        // A suspension must take effect however many rules there are.
        const isOneMore = rule.kind !== 'account' && !byName.has(nameOf(rule.kind, rule.value))
        if (byName.size >= MAX_RULES && isOneMore) throw tooMany()
        tx.put(ruleKey(rule.kind, rule.value), encode(rule))
      }),
    /** The rule matches nothing from now on. @returns false if there is none */
    release: (kind: HoldKind, value: string): Promise<boolean> =>
      store.write(META_PARTITION, async (tx) => {
        const rule = await readValue<HoldRule>(tx, ruleKey(kind, value))
        if (!rule || rule.released) return false
        tx.put(ruleKey(kind, value), encode({ ...rule, released: true } satisfies HoldRule))
        return true
      }),
    /** Removes a rule whose messages are all released. */
    forget: ({ kind, value }: Pick<HoldRule, 'kind' | 'value'>): Promise<void> =>
      store.write(META_PARTITION, async (tx) => {
        // It may have been added again meanwhile.
        const rule = await readValue<HoldRule>(tx, ruleKey(kind, value))
        if (rule?.released) tx.delete(ruleKey(kind, value))
      }),
  }
}

interface Rules {
  byName: ReadonlyMap<string, HoldRule>
  /** Those of accounts, by mailbox. */
  ofAccounts: ReadonlyMap<string, HoldRule>
}

const nameOf = (kind: HoldKind, value: string): string => `${kind} ${value}`

async function readRules(view: Pick<View, 'range'>): Promise<Rules> {
  const byName = new Map<string, HoldRule>()
  const ofAccounts = new Map<string, HoldRule>()
  for (const [, bytes] of await view.range({ ...prefixRange('hold'), limit: MAX_STORED })) {
    const rule = decode<HoldRule>(bytes)
    byName.set(nameOf(rule.kind, rule.value), rule)
    for (const id of rule.mailboxIds ?? []) ofAccounts.set(id, rule)
  }
  return { byName, ofAccounts }
}

function matching({ byName, ofAccounts }: Rules, { id, messageId, mailboxId, domain }: Held): HoldRule | undefined {
  if (byName.size === 0) return undefined
  const inForce = (rule: HoldRule | undefined): HoldRule | undefined => (rule?.released ? undefined : rule)
  const find = (kind: HoldKind, value: string): HoldRule | undefined => inForce(byName.get(nameOf(kind, value)))
  return (
    (messageId === null ? undefined : find('message', messageId)) ??
    find('message', id) ??
    (mailboxId === null ? undefined : (find('mailbox', mailboxId) ?? inForce(ofAccounts.get(mailboxId)))) ??
    upwards(domain, (parent) => find('domain', parent))
  )
}

/** Time on hold does not count against the delivery time. */
export function withoutTimeHeld(payload: RelayTask, heldSince: number, now: number): RelayTask {
  if (payload.since === undefined) return payload
  return { ...payload, since: Math.min(now, payload.since + Math.max(0, now - heldSince)) }
}

/** True if a task is held, and that is recorded. @param isPaused its mailbox was paused when it was read */
export type HoldBack = (task: Pick<Task<RelayTask>, 'id' | 'payload'>, isPaused?: boolean) => Promise<boolean>

/** Checks before each attempt whether the human of the mailbox or the operator holds the task back; its sender is informed once. */
export function createHoldBack(deps: {
  holds: Pick<Holds, 'matches'>
  mailboxes: { outbound: Pick<OutboundMail, 'recordHold' | 'park'> }
}): HoldBack {
  const { holds, mailboxes } = deps
  return async ({ id, payload }, isPaused) => {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = payload
    if (isPaused && (await mailboxes.outbound.park(payload, id))) return true
    const task = { id, messageId, mailboxId, domain }
    if (!(await holds.matches(task))) return false
    await mailboxes.outbound.recordHold(mailboxId, messageId, domain)
    // It may have been released meanwhile.
    return (await holds.matches(task)) !== undefined
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
    for (const rule of [...(await holds.list()), ...(await holds.released())]) {
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
