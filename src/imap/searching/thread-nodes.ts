/** Threads as a tree, and as the response has them (RFC 5256 §4). */

export interface ThreadNode {
  /** Position in the view; undefined for a parent that is no message, which has several children and no parent. */
  position: number | undefined
  children: ThreadNode[]
}

/** The same with UIDs. */
export interface UidThread {
  uid: number | undefined
  children: UidThread[]
}

/** @param uidAt of a position */
export function withUids(threads: readonly ThreadNode[], uidAt: (position: number) => number): UidThread[] {
  const all: UidThread[] = []
  const pending: { nodes: readonly ThreadNode[]; into: UidThread[] }[] = [{ nodes: threads, into: all }]
  for (let next = pending.pop(); next; next = pending.pop())
    for (const { position, children } of next.nodes) {
      const thread: UidThread = { uid: position === undefined ? undefined : uidAt(position), children: [] }
      next.into.push(thread)
      if (children.length > 0) pending.push({ nodes: children, into: thread.children })
    }
  return all
}

/**
 * Data of a THREAD response: `(2)(3 6 (4 23)(44 7 96))`.
 *
 * @param numberOf the UID or the sequence number of a message
 */
export function threadText(threads: readonly UidThread[], numberOf: (uid: number) => number): string {
  let text = ''
  // A list is open for each of the strings on the stack.
  const pending: (UidThread | ')')[] = [...threads].reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next === ')') {
      text += ')'
      continue
    }
    text += '('
    let at = next
    if (at.uid !== undefined) text += numberOf(at.uid)
    // An only child stands in the list of its parent.
    for (let [only, ...more] = at.children; only && more.length === 0; [only, ...more] = at.children) {
      at = only
      if (at.uid !== undefined) text += ` ${numberOf(at.uid)}`
    }
    if (at.children.length > 0 && !text.endsWith('(')) text += ' '
    pending.push(')')
    for (const child of [...at.children].reverse()) pending.push(child)
  }
  return text
}
