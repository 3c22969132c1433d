/** The operator's list of hosts that nobody should be sent to. */
import { domainToASCII } from 'node:url'

/** A million hosts; a list that is longer is no list of one server's. */
const MAX_HOSTS = 1_000_000

/**
 * Reads hosts, one a line; what stands behind `#` is a note. A host stands for all below it.
 *
 * @returns what tells of a host in ASCII
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
