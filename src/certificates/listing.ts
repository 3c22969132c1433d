/** What an operator sees of certificates, and what one can have done: list them, and order now. */
import { z } from 'zod'
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import type { HeldCertificates } from './certificates.js'
import type { Keeper, NameState } from './renewal.js'
import type { HeldCertificate } from './types.js'

const time = z.iso.datetime({ precision: 3 })

const entrySchema = z.object({
  /** The first of its names, or the name that is to have one. */
  name: z.string(),
  names: z.array(z.string()),
  source: z.enum(['acme', 'smtp.tls_cert', 'server.tls_cert']),
  /** Null, as what follows, where there is none yet. */
  issuer: z.string().nullable(),
  not_before: time.nullable(),
  not_after: time.nullable(),
  /** Of the last order; null when it went well. */
  error: z.string().nullable(),
  tried_at: time.nullable(),
  /** When the next order is due; null for the operator's own. */
  next_try_at: time.nullable(),
  /** An order is at work, or waits for one before it. */
  ordering: z.boolean(),
})

export const certificateListSchema = z.object({ data: z.array(entrySchema) })
export type CertificateEntry = z.infer<typeof entrySchema>

export interface CertificateDesk {
  /** The operator's own first, then those of the authority in the order in which they are asked for. */
  list(): Promise<CertificateEntry[]>
  /**
   * Begins to order now.
   *
   * @param name all that are wanted when not given
   * @returns the names
   * @throws ServiceError when no authority is asked, or not for that name
   */
  renew(name?: string): string[]
  /** Resolves when no order is at work, or then. */
  wait(ms: number): Promise<void>
}

export function createCertificateDesk(held: HeldCertificates, keeper: Keeper | undefined): CertificateDesk {
  return {
    async list() {
      const own = held.all().filter(({ source }) => source !== 'acme')
      const states = (await keeper?.states()) ?? []
      return [...own.map(ownEntry), ...states.map((state) => wantedEntry(state, held.had(state.name)))]
    },
    renew(name) {
      if (!keeper)
        throw new ServiceError(
          'invalid_request',
          'No authority is asked for certificates.',
          'Set tls.acme; see docs/tls.md.',
        )
      const wanted = held.wanted()
      if (name !== undefined && !wanted.includes(name))
        throw new ServiceError(
          'not_found',
          `No certificate of ${name} is had from the authority.`,
          wanted.length === 0
            ? 'Your own cover every name.'
            : `It is asked for ${wanted.join(', ')}; further names are listed in tls.names.`,
        )
      const names = name === undefined ? wanted : [name]
      keeper.beginRenewal(names)
      return names
    },
    wait: async (ms) => keeper?.idle(ms),
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
