/** The operator's list of bad hosts. */
import { domainToASCII } from 'node:url'

/** A longer list is not one of a single server. */
const MAX_HOSTS = 1_000_000

/**
 * Reads hosts, one a line; `#` begins a comment. A host covers all names below it.
 *
 * @returns a predicate on hosts in ASCII
 */
export function badHostsIn(text: string): (host: string) => boolean {
  const hosts = new Set<string>()
  for (const line of text.split('\n')) {
    const host = domainToASCII(
      line
        .replace(/#.*/, '')
        .trim()
        .replace(/^\*?\./, '')
        .toLowerCase(),
    )
    if (host !== '' && hosts.size < MAX_HOSTS) hosts.add(host)
  }
  return (host) => {
    if (hosts.size === 0) return false
    for (let name = host; name !== '';) {
      if (hosts.has(name)) return true
      const dot = name.indexOf('.')
      name = dot === -1 ? '' : name.slice(dot + 1)
    }
    return false
  }
}
