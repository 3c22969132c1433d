/** Our resolver in mailauth's interface: it reads ENOTFOUND and ENODATA as "no record", EBADNAME as an impossible name, all others as temporary errors. */
import type { DNSResolver } from 'mailauth'
import { addressOfReverseName, queryName } from '../dns/name.js'
import type { MxRecord, Resolver } from '../dns/types.js'

export function libraryResolver(resolver: Resolver): DNSResolver {
  const answer = async (name: string, rrtype: string): Promise<string[] | string[][] | MxRecord[]> => {
    if (queryName(name) === undefined) throw coded('EBADNAME', name, rrtype)
    switch (rrtype) {
      case 'A':
        return resolver.a(name)
      case 'AAAA':
        return resolver.aaaa(name)
      case 'MX':
        return resolver.mx(name)
      case 'TXT':
        return (await resolver.txt(name)).map((text) => [text])
      case 'PTR': {
        const ip = addressOfReverseName(name)
        if (ip === undefined) throw coded('ENOTFOUND', name, rrtype)
        return resolver.ptr(ip)
      }
      default:
        // CNAME: only queried for a name just found missing, in case it is an alias to nothing (RFC 9989 §A.4).
        throw coded('ENODATA', name, rrtype)
    }
  }
  // The declared type lacks MX, of which the library reads `exchange` and `priority`.
  return answer as DNSResolver
}

/** True if a look-up failed because the name or record does not exist, which is a valid response too. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
}

function coded(code: string, name: string, rrtype: string): Error {
  return Object.assign(new Error(`${rrtype} ${name}: ${code}`), { code })
}
