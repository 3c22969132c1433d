/** The look-ups of one SPF evaluation, with the limits of RFC 7208 §4.6.4. */
import type { DNSResolver } from 'mailauth'
import { isAbsence } from './library-resolver.js'

/** Max terms with look-ups; for an `mx` or a `ptr`, max names whose addresses are looked up. */
const MAX_LOOKUPS = 10
/** Max look-ups without a result. */
const MAX_VOID = 2

/** A target name: several labels of printable characters, the last of which is not a number (RFC 7208 §7.1). */
const TARGET = /^(?:[ -\-/-~]{1,63}\.)+[a-z0-9-]*[a-z][a-z0-9-]*\.?$/i

/** In the form that the library expects. */
class SpfError extends Error {
  readonly spfResult: { error: 'permerror' | 'temperror'; text: string }

  constructor(error: 'permerror' | 'temperror', text: string) {
    super(text)
    this.name = 'SpfError'
    this.spfResult = { error, text }
  }
}

export interface SpfLookups {
  /** For the record and its terms. */
  lookups: DNSResolver
  /** For explanations, which are not used here. */
  none: DNSResolver
  /** For the addresses of one `mx` or `ptr`. */
  forAddresses(ignoreVoid: boolean): DNSResolver
}

export function spfLookups(resolver: DNSResolver): SpfLookups {
  return {
    // The look-up of the domain's own record is not counted.
    lookups: limited(resolver, 1 + MAX_LOOKUPS, MAX_VOID),
    none: () => Promise.reject(new SpfError('permerror', 'explanations are not looked up')),
    forAddresses: (ignoreVoid) => limited(resolver, MAX_LOOKUPS, ignoreVoid ? Infinity : MAX_VOID),
  }
}

function limited(resolver: DNSResolver, maxLookups: number, maxVoid: number): DNSResolver {
  let asked = 0
  let empty = 0
  const lookUp = async (name: string, type: string): Promise<unknown[]> => {
    if (++asked > maxLookups) throw new SpfError('permerror', 'too many DNS look-ups')
    if (!TARGET.test(name)) throw new SpfError('permerror', `invalid domain ${name}`)
    try {
      // The library sorts the array in place.
      return [...(await resolver(name, type))]
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EBADNAME') throw new SpfError('permerror', `invalid domain ${name}`)
      if (!isAbsence(error)) throw new SpfError('temperror', `no answer for ${type} ${name}`)
      if (++empty > maxVoid) throw new SpfError('permerror', 'too many DNS look-ups without a result')
      return []
    }
  }
  // The declared type lacks MX, as in library-resolver.ts.
  return lookUp as DNSResolver
}
