/** Lists certificates for the operator, and starts orders. */
import { z } from 'zod'
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import type { HeldCertificates } from './certificates.js'
import type { Keeper, NameState } from './renewal.js'
import type { HeldCertificate } from './types.js'

const time = z.iso.datetime({ precision: 3 })

const entrySchema = z.object({
  /** The first of its names, or the name that needs one. */
  name: z.string(),
  names: z.array(z.string()),
  source: z.enum(['acme', 'smtp.tls_cert', 'server.tls_cert']),
  /** Null, like the following fields, if there is none yet. */
  issuer: z.string().nullable(),
  not_before: time.nullable(),
  not_after: time.nullable(),
  /** Error of the last order; null if it succeeded. */
  error: z.string().nullable(),
  tried_at: time.nullable(),
  /** Time of the next order; null for the operator's own. */
  next_try_at: time.nullable(),
  /** An order is running or waiting. */
  ordering: z.boolean(),
})

export const certificateListSchema = z.object({ data: z.array(entrySchema) })
export type CertificateEntry = z.infer<typeof entrySchema>

export type CertificateListing = ReturnType<typeof createCertificateListing>

export function createCertificateListing(held: HeldCertificates, keeper: Keeper | undefined) {
  return {
    /** The operator's own first, then those of the authority in the order of requests. */
    async list(): Promise<CertificateEntry[]> {
      const own = held.all().filter(({ source }) => source !== 'acme')
      const states = (await keeper?.states()) ?? []
      return [...own.map(ownEntry), ...states.map((state) => wantedEntry(state, held.had(state.name)))]
    },
    /**
     * Starts orders now.
     *
     * @param name by default all names
     * @returns the names
     * @throws ServiceError if there is no authority, or the name is not requested from it
     */
    renew(name?: string): string[] {
      if (!keeper)
        throw new ServiceError('invalid_request', 'No certificate authority is set.', 'Set tls.acme; see docs/tls.md.')
      const wanted = held.wanted()
      if (name !== undefined && !wanted.includes(name))
        throw new ServiceError(
          'not_found',
          `No certificate for ${name} is requested from the authority.`,
          wanted.length === 0
            ? 'Your own cover every name.'
            : `Those for ${wanted.join(', ')} are; add further names to tls.names.`,
        )
      const names = name === undefined ? wanted : [name]
      keeper.beginRenewal(names)
      return names
    },
    /** Resolves when no order is running, or after `ms`. */
    wait: async (ms: number): Promise<void> => keeper?.idle(ms),
  }
}

function ownEntry(pair: HeldCertificate): CertificateEntry {
  return {
    name: pair.names[0] ?? '(no host name)',
    source: pair.source,
    ...shownOf(pair),
    error: null,
    tried_at: null,
    next_try_at: null,
    ordering: false,
  }
}

function wantedEntry(state: NameState, pair: HeldCertificate | undefined): CertificateEntry {
  return {
    name: state.name,
    source: 'acme',
    ...shownOf(pair),
    error: state.error,
    tried_at: state.triedAt === null ? null : timestamp(state.triedAt),
    next_try_at: timestamp(state.nextTryAt),
    ordering: state.ordering,
  }
}

function shownOf(
  pair: HeldCertificate | undefined,
): Pick<CertificateEntry, 'names' | 'issuer' | 'not_before' | 'not_after'> {
  if (!pair) return { names: [], issuer: null, not_before: null, not_after: null }
  const { names, issuer, notBefore, notAfter } = pair
  return { names: [...names], issuer, not_before: timestamp(notBefore), not_after: timestamp(notAfter) }
}
