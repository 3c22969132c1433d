/**
 * THREAD=REFERENCES (RFC 5256 §3), by its steps. References of strangers make trees of any depth and shape, so no step recurses.
 */
import type { TimedTurns } from '../../mailbox/search/turns.js'
import { sortInTurns } from './sort-in-turns.js'
import type { ThreadFacts } from './thread-facts.js'
import type { ThreadNode } from './thread-nodes.js'

/** Undefined `facts`: a dummy for a message that others refer to and that is not there, or the parent of messages with one subject. */
class Container {
  parent: Container | undefined
  // Most have none.
  #children: Set<Container> | undefined

  constructor(public facts: ThreadFacts | undefined) {}

  get children(): ReadonlySet<Container> {
    return this.#children ?? NONE
  }

  adopt(child: Container): void {
    child.leave()
    child.parent = this
    this.#children ??= new Set()
    this.#children.add(child)
  }

  leave(): void {
    const { parent } = this
    if (parent) parent.#children?.delete(this)
    this.parent = undefined
  }

  /** @param steps counts the containers looked at */
  isWithin(other: Container, steps: { count: number }): boolean {
    if (this === other) return true
    if (other.children.size === 0) return false
    for (let at = this.parent; at; at = at.parent) {
      if (at === other) return true
      steps.count++
    }
    return false
  }
}

const NONE: ReadonlySet<Container> = new Set()

/** Containers looked at between two looks at the clock. */
const LOOKED_AT_ONCE = 2000

/** @param messages in the order of the folder @returns threads of positions */
export async function referencesThreads(messages: readonly ThreadFacts[], turns: TimedTurns): Promise<ThreadNode[]> {
  const containers = await linked(messages, turns)
  // (2)
  let roots = containers.filter(({ parent }) => !parent)
  roots = pruned(roots)
  await turns.next()
  const dates = new Map<Container, number>()
  // (4): dummies of the root have the date of their first child.
  for (const root of roots) dates.set(root, dateOf(root))
  roots = await byDate(roots, dates, turns)
  roots = gathered(roots)
  await turns.next()
  return sortedNodes(roots, turns)
}

/** (1): all containers, the earliest first. */
async function linked(messages: readonly ThreadFacts[], turns: TimedTurns): Promise<Container[]> {
  const byId = new Map<string, Container>()
  const containers: Container[] = []
  const made = (facts: ThreadFacts | undefined): Container => {
    const container = new Container(facts)
    containers.push(container)
    return container
  }
  const containerOf = (id: string): Container => {
    const known = byId.get(id) ?? made(undefined)
    byId.set(id, known)
    return known
  }
  const steps = { count: 0 }
  for (const facts of messages) {
    const { messageId, references } = facts
    const known = messageId === null ? undefined : containerOf(messageId)
    // The first one has the id; another message with it gets one of its own.
    const own = known && !known.facts ? known : made(facts)
    own.facts = facts
    // (A) A link that is there is not changed, and none makes a loop.
    let before: Container | undefined
    for (const id of references) {
      const next = containerOf(id)
      if (before && !next.parent && !before.isWithin(next, steps)) before.adopt(next)
      before = next
      steps.count++
    }
    // (B) What a message says of its own parent replaces what others said of it.
    own.leave()
    if (before && !before.isWithin(own, steps)) before.adopt(own)
    if (steps.count++ < LOOKED_AT_ONCE) continue
    await turns.next()
    steps.count = 0
  }
  return containers
}

/** (3): without dummies, but those that hold several threads together. */
function pruned(roots: readonly Container[]): Container[] {
  for (const container of childrenFirst(roots)) {
    const { facts, parent, children } = container
    if (facts || !parent) continue
    container.leave()
    for (const child of [...children]) parent.adopt(child)
  }
  return roots.flatMap((root) => {
    if (root.facts || root.children.size > 1) return [root]
    // Its only child, which is a message now; or nothing.
    const children = [...root.children]
    for (const child of children) child.leave()
    return children
  })
}

function childrenFirst(roots: readonly Container[]): Container[] {
  const all = [...roots]
  for (let at = 0; at < all.length; at++) for (const child of all[at]?.children ?? []) all.push(child)
  return all.reverse()
}

/** Of a dummy that of its first child by date. */
function dateOf({ facts, children }: Container): number {
  if (facts) return facts.sentMs
  let first = Infinity
  for (const child of children) first = Math.min(first, child.facts?.sentMs ?? Infinity)
  return first
}

/** Of a dummy that of its first child by date; of equal dates by position. */
function subjectOf(container: Container): { subject: string; isReply: boolean } {
  const facts = container.facts ?? firstByDate(container.children)?.facts
  return { subject: facts?.subject ?? '', isReply: facts?.isReply ?? false }
}

function firstByDate(containers: Iterable<Container>): Container | undefined {
  let first: Container | undefined
  for (const container of containers) if (!first || compare(container, first) < 0) first = container
  return first
}

function compare(a: Container, b: Container, dates?: ReadonlyMap<Container, number>): number {
  return (dates?.get(a) ?? dateOf(a)) - (dates?.get(b) ?? dateOf(b)) || positionOf(a) - positionOf(b)
}

/** Of a dummy that of its first child by date. */
function positionOf({ facts, children }: Container): number {
  return (facts ?? firstByDate(children)?.facts)?.position ?? 0
}

async function byDate(
  containers: readonly Container[],
  dates: ReadonlyMap<Container, number>,
  turns: TimedTurns,
): Promise<Container[]> {
  const at = (i: number): Container => {
    const container = containers[i]
    if (!container) throw new RangeError(`no container ${i}`)
    return container
  }
  const order = await sortInTurns([...containers.keys()], (a, b) => compare(at(a), at(b), dates), turns)
  return order.map(at)
}

/** (5): threads with one subject are one. */
function gathered(roots: readonly Container[]): Container[] {
  // (A), (B)
  const table = new Map<string, Container>()
  for (const root of roots) {
    const { subject, isReply } = subjectOf(root)
    if (subject === '') continue
    const known = table.get(subject)
    if (!known || (known.facts && (!root.facts || (subjectOf(known).isReply && !isReply)))) table.set(subject, root)
  }
  // (C)
  const left = new Set(roots)
  for (const root of roots) {
    const { subject, isReply } = subjectOf(root)
    const known = table.get(subject)
    if (subject === '' || !known || known === root) continue
    left.delete(root)
    if (!known.facts && !root.facts) for (const child of [...root.children]) known.adopt(child)
    else if (!known.facts || (root.facts && isReply && !subjectOf(known).isReply)) known.adopt(root)
    else {
      const together = new Container(undefined)
      left.delete(known)
      left.add(together)
      together.adopt(known)
      together.adopt(root)
      table.set(subject, together)
    }
  }
  return [...left]
}

/** (6): all siblings by date. */
async function sortedNodes(roots: readonly Container[], turns: TimedTurns): Promise<ThreadNode[]> {
  const threads: ThreadNode[] = []
  const pending: { siblings: Iterable<Container>; into: ThreadNode[] }[] = [{ siblings: roots, into: threads }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const siblings = [...next.siblings]
    const dates = new Map(siblings.map((container) => [container, dateOf(container)]))
    const sorted = siblings.length > 1 ? await byDate(siblings, dates, turns) : siblings
    for (const { facts, children } of sorted) {
      const node: ThreadNode = { position: facts?.position, children: [] }
      next.into.push(node)
      if (children.size > 0) pending.push({ siblings: children, into: node.children })
    }
    await turns.next()
  }
  return threads
}
