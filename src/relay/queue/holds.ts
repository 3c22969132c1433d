/**
 * What the operator holds back: single messages, all of a mailbox, of an account that is suspended, all to a domain and its subdomains. The rules are in the partition `meta`
 * under `hold` · kind · value and, since every delivery asks for them, in memory.
 *
 * A rule that is released matches nothing any more but stays stored until everything it held is let go, so that no crash leaves a message held
 * without a rule.
 */
import { invalidRequest, type ServiceError } from '../../lib/errors.js'
import { META_PARTITION } from '../../mailbox/keys.js'
import { decode, encode, key, prefixRange } from '../../store/keys.js'
import { createLine } from '../../store/queue-by-name.js'
import type { Store } from '../../store/types.js'

export type HoldKind = 'message' | 'mailbox' | 'domain' | 'account'

export interface HoldRule {
  kind: HoldKind
  /** Id of a message, a task, a mailbox or an account, or a domain. */
  value: string
  /** The mailbox's address or the account's owner, for people. */
  name: string
  /** Of an account: those it had when it was suspended. */
  mailboxIds?: string[]
  reason: string | null
  /** Who asked for it. */
  by: string | null
  /** Milliseconds since the epoch. */
  at: number
  released?: true
}

export interface Held {
  /** Id of the task. */
  id: string
  messageId: string | null
  mailboxId: string | null
  domain: string
}

export interface Holds {
  /** The rule that holds a task, if one does. */
  matches(task: Held): HoldRule | undefined
  /** In the order in which they were made. */
  list(): HoldRule[]
  /** Those whose messages are still to be let go. */
  released(): HoldRule[]
  /** Durable, and in force, when it resolves. A rule that is there gets the new reason. */
  add(rule: HoldRule): Promise<void>
  /** It matches nothing from now on. @returns false when there is none */
  release(kind: HoldKind, value: string): Promise<boolean>
  /** Forgets a rule whose messages were all let go. */
  forget(rule: HoldRule): Promise<void>
}

/** Enough for everything that is held one by one; a list of all of them is still an answer of a megabyte. */
const MAX_RULES = 5000
/** With those on suspended accounts, which nobody makes by the thousand; as many as one read takes. */
const MAX_STORED = 2 * MAX_RULES

const ruleKey = (kind: HoldKind, value: string): Uint8Array => key('hold', kind, value)

export async function openHolds({ store }: { store: Store }): Promise<Holds> {
  const rows = await store.read(META_PARTITION, (view) => view.range({ ...prefixRange('hold'), limit: MAX_STORED }))
  const rules = new Map<string, HoldRule>()
  const nameOf = (kind: HoldKind, value: string): string => `${kind} ${value}`
  /** By mailbox, the rule on its account. */
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
  const line = createLine()
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
        // A suspension has to take effect however many rules there are.
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
        // Somebody may have made it anew meanwhile.
        if (!rules.get(nameOf(kind, value))?.released) return
        await store.write(META_PARTITION, (tx) => tx.delete(ruleKey(kind, value)))
        rules.delete(nameOf(kind, value))
        for (const [id, rule] of ofAccounts) if (rule.value === value) ofAccounts.delete(id)
      }),
  }
}

/** Asks for a domain, then for the one above it, and so on. */
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
