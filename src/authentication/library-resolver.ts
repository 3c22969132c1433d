/**
 * Our resolver in the shape that mailauth asks for: `(name, type)`, with the error codes of node:dns: mailauth takes ENOTFOUND and
 * ENODATA for "there is none", EBADNAME for an impossible name, and all others for a passing trouble.
 */
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
        // CNAME: only asked for a name that has just been found missing, in case it is an alias to nothing (RFC 9989 §A.4).
        throw coded('ENODATA', name, rrtype)
    }
  }
  // The declared type forgets MX, for which the library reads `exchange` and `priority`.
  return answer as DNSResolver
}

/** Whether a look-up failed because there is no such name or record, which is an answer too. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
}

function coded(code: string, name: string, rrtype: string): Error {
  return Object.assign(new Error(`${rrtype} ${name}: ${code}`), { code })
}
