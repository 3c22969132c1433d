/**
 * Hold rules of the operator: single messages, mailboxes, suspended accounts, domains with subdomains. Stored in the partition `meta` under `hold` · kind ·
 * value, and in memory, since every delivery checks them.
 *
 * A released rule matches nothing but stays stored until everything it held is released, so that no crash leaves a message held without a rule.
 */
import { invalidRequest, type ServiceError } from '../../lib/errors.js'
import { META_PARTITION } from '../../mailbox/keys.js'
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
  /** Actor. */
  by: string | null
  /** Milliseconds since the epoch. */
  at: number
  released?: true
}

export interface Held {
  /** Task id. */
  id: string
  messageId: string | null
  mailboxId: string | null
  domain: string
}

export interface Holds {
  /** The rule that holds a task, if any. */
  matches(task: Held): HoldRule | undefined
  /** In order of creation. */
  list(): HoldRule[]
  /** Released rules with messages still to release. */
  released(): HoldRule[]
  /** Durable and effective when it resolves. An existing rule gets the new reason. */
  add(rule: HoldRule): Promise<void>
  /** The rule matches nothing from now on. @returns false if there is none */
  release(kind: HoldKind, value: string): Promise<boolean>
  /** Removes a rule whose messages are all released. */
  forget(rule: HoldRule): Promise<void>
}

/** Enough for single holds; a list of all of them is still a megabyte. */
const MAX_RULES = 5000
/** Including suspended accounts, which are few; as many as one read returns. */
const MAX_STORED = 2 * MAX_RULES

const ruleKey = (kind: HoldKind, value: string): Uint8Array => key('hold', kind, value)

export async function openHolds({ store }: { store: Store }): Promise<Holds> {
  const rows = await store.read(META_PARTITION, (view) => view.range({ ...prefixRange('hold'), limit: MAX_STORED }))
  const rules = new Map<string, HoldRule>()
  const nameOf = (kind: HoldKind, value: string): string => `${kind} ${value}`
  /** Account rules by mailbox. */
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
    matches({ id, messageId, mailboxId, domain }) {
      if (rules.size === 0) return undefined
      return (
        (messageId === null ? undefined : inForce('message', messageId)) ??
        inForce('message', id) ??
        (mailboxId === null ? undefined : (inForce('mailbox', mailboxId) ?? onAccountOf(mailboxId))) ??
        upwards(domain, (parent) => inForce('domain', parent))
      )
    },
    list: () => [...rules.values()].filter(({ released }) => !released).sort((a, b) => a.at - b.at),
    released: () => [...rules.values()].filter(({ released }) => released),
    add: (rule) =>
      inTurn(async () => {
        // A suspension must take effect however many rules there are.
        const isOneMore = rule.kind !== 'account' && !rules.has(nameOf(rule.kind, rule.value))
        if (rules.size >= MAX_RULES && isOneMore) throw tooMany()
        await put(rule)
      }),
    release: (kind, value) =>
      inTurn(async () => {
        const rule = inForce(kind, value)
        if (rule) await put({ ...rule, released: true })
        return rule !== undefined
      }),
    forget: ({ kind, value }) =>
      inTurn(async () => {
        // It may have been added again meanwhile.
        if (!rules.get(nameOf(kind, value))?.released) return
        await store.write(META_PARTITION, (tx) => tx.delete(ruleKey(kind, value)))
        rules.delete(nameOf(kind, value))
        for (const [id, rule] of ofAccounts) if (rule.value === value) ofAccounts.delete(id)
      }),
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
