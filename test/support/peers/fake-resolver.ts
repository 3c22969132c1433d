/** A resolver that answers from a function, for tests of what stands above it. */
import { LookupError, type LookupFailure, type MxRecord, type Resolver } from '../../../src/dns/types.js'
import { reverseName } from '../../../src/dns/name.js'

export type Found = string[] | MxRecord[] | LookupFailure

/** @param find gets the lower-case name and the type, and gives records or why there are none */
export function fakeResolver(find: (name: string, rrtype: string) => Found): Resolver & { asked: string[] } {
  const asked: string[] = []
  const look = (name: string, rrtype: string): string[] | MxRecord[] => {
    const plain = name.toLowerCase().replace(/\.$/, '')
    asked.push(`${rrtype} ${plain}`)
    const found = find(plain, rrtype)
    if (typeof found === 'string') throw new LookupError(found, plain, rrtype, found)
    return found
  }
  const texts = async (name: string, rrtype: string): Promise<string[]> =>
    look(name, rrtype).filter((value) => typeof value === 'string')
  return {
    asked,
    a: (name) => texts(name, 'A'),
    aaaa: (name) => texts(name, 'AAAA'),
    txt: (name) => texts(name, 'TXT'),
    ptr: (ip) => texts(reverseName(ip) ?? ip, 'PTR'),
    srv: async (name) => {
      throw new LookupError('no_data', name, 'SRV', 'no_data')
    },
    mx: async (name) => look(name, 'MX').filter((value) => typeof value !== 'string'),
    // Nothing of it is proven.
    checked: {
      a: async (name) => ({ records: await texts(name, 'A'), authentic: false, name }),
      aaaa: async (name) => ({ records: await texts(name, 'AAAA'), authentic: false, name }),
      mx: async (name) => ({
        records: look(name, 'MX').filter((value) => typeof value !== 'string'),
        authentic: false,
        name,
      }),
      tlsa: async (name) => {
        throw new LookupError('no_data', name, 'TLSA', 'no_data')
      },
      cname: async (name) => {
        throw new LookupError('no_data', name, 'CNAME', 'no_data')
      },
    },
    keptUntil: () => undefined,
    validates: false,
    close: () => undefined,
  }
}

/** TXT records only; a failure in place of a text is that failure. Other names don't exist. */
export function textResolver(records: Record<string, string | string[]>): Resolver & { asked: string[] } {
  return fakeResolver((name, rrtype) => {
    const found = records[name]
    if (found === undefined) return 'not_found'
    if (found === 'temporary') return 'temporary'
    return rrtype === 'TXT' ? [found].flat() : 'no_data'
  })
}
