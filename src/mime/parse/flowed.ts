/**
 * Joins the lines of paragraphs in format=flowed (RFC 3676 §4).
 *
 * @param deleteSpace `delsp=yes`: the space before a soft break was added and is removed (§4.5)
 */
export function unflow(text: string, deleteSpace: boolean): string {
  const lines: string[] = []
  let open: { depth: number; text: string[] } | null = null
  const close = () => {
    if (open) lines.push(quote(open.depth, open.text.join('')))
    open = null
  }
  for (const raw of text.split('\n')) {
    const depth = /^>*/.exec(raw)?.[0].length ?? 0
    const stuffed = raw.slice(depth)
    const content = stuffed.startsWith(' ') ? stuffed.slice(1) : stuffed
    // §4.3: the signature separator is a fixed line despite its final space.
    const soft = content.endsWith(' ') && content !== '-- '
    if (open !== null && (depth !== open.depth || content === '-- ')) close()
    open ??= { depth, text: [] }
    open.text.push(soft && deleteSpace ? content.slice(0, -1) : content)
    if (!soft) close()
  }
  close()
  return lines.join('\n')
}

function quote(depth: number, text: string): string {
  return depth === 0 ? text : `${'>'.repeat(depth)} ${text}`
}
