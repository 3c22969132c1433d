/** Content negotiation (RFC 9110 §12.5). */

/** Weights by name in lower case, for a field such as Accept or Accept-Encoding; 0 where it refuses. */
export function weights(field: string | undefined): Map<string, number> {
  const found = new Map<string, number>()
  // More is useless, and a stranger wrote it.
  for (const part of (field ?? '').toLowerCase().split(',', 50)) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    const q = parameters.find((each) => each.startsWith('q='))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    if (name !== '') found.set(name, weight >= 0 && weight <= 1 ? weight : 0)
  }
  return found
}

/** True if server-sent events are requested; not for clients that accept JSON as well, such as with a wildcard. */
export function prefersEventStream(headers: Readonly<Record<string, string>>): boolean {
  const accept = weights(headers['accept'])
  const stream = accept.get('text/event-stream') ?? 0
  return stream > 0 && stream > (accept.get('application/json') ?? 0)
}

/** True for browsers, which name HTML; not for clients that take anything, or prefer JSON. */
export function prefersHtml(headers: Readonly<Record<string, string>>): boolean {
  const accept = weights(headers['accept'])
  const page = accept.get('text/html') ?? 0
  return page > 0 && page >= (accept.get('application/json') ?? 0)
}

/** True where an error is shown as a page: to browsers, outside the API. */
export function wantsPage({ path, headers }: { path: string; headers: Readonly<Record<string, string>> }): boolean {
  return path !== '/v1' && !path.startsWith('/v1/') && prefersHtml(headers)
}
