/** Matches paths to their entries, segment by segment. */
export interface Match<T> {
  value: T
  params: Record<string, string>
}

interface Node<T> {
  fixed: Map<string, Node<T>>
  parameter: Node<T> | undefined
  end: { value: T; names: string[] } | undefined
}

/** A fixed segment wins over a parameter. A path costs one look-up a segment. */
export function createMatcher<T>() {
  const root: Node<T> = emptyNode()
  return {
    /** The entry of a path pattern such as `/v1/threads/{id}`; created by `make` the first time. */
    at(pattern: string, make: () => T): T {
      const names: string[] = []
      let node = root
      for (const segment of pattern.split('/').slice(1)) {
        const name = /^\{(\w+)\}$/.exec(segment)?.[1]
        if (name === undefined) {
          const next: Node<T> = node.fixed.get(segment) ?? emptyNode()
          node.fixed.set(segment, next)
          node = next
        } else {
          names.push(name)
          node = node.parameter ??= emptyNode()
        }
      }
      node.end ??= { value: make(), names }
      if (node.end.names.join() !== names.join())
        throw new Error(`${pattern} names its parameters differently than other routes with that path`)
      return node.end.value
    },
    /** Undefined for an unknown path, and for one that is not correctly percent-encoded: nothing has such a name. */
    match(path: string): Match<T> | undefined {
      const values: string[] = []
      let node = root
      for (const segment of path.split('/').slice(1)) {
        const fixed = node.fixed.get(segment)
        if (fixed) {
          node = fixed
          continue
        }
        const value = node.parameter && decode(segment)
        if (!value || !node.parameter) return undefined
        values.push(value)
        node = node.parameter
      }
      if (!node.end) return undefined
      const { value, names } = node.end
      const params: Record<string, string> = {}
      for (const [i, name] of names.entries()) params[name] = values[i] ?? ''
      return { value, params }
    },
  }
}

function emptyNode<T>(): Node<T> {
  return { fixed: new Map(), parameter: undefined, end: undefined }
}

/** Undefined when the percent-encoding is broken or not of UTF-8. */
export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
