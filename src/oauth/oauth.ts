/** Connections by OAuth 2.1: all parts over one store. The reasons for the design are in docs/oauth.md. */
import { z } from 'zod'
import type { Clock } from '../lib/clock.js'
import { NOT_SHARED, type SharedCounts } from '../store/nodes/shared-counts.js'
import type { Store } from '../store/types.js'
import type { Audit } from '../audit/types.js'
import { createClients } from './clients.js'
import { createConsent, type ConsentDeps } from './consent.js'
import { createDocuments, type DocumentsDeps } from './documents.js'
import { createEnding } from './revocation.js'
import { Grants, type GrantsDeps } from './grants.js'
import { createQuota, type Quota, type QuotaLimits } from './quota.js'
import { createLists, CODE_KIND, CONNECTION_KIND, forgetEnded } from './record.js'
import { createRegistrations, type Registrations } from './registrations.js'
import { createResources, type Resources } from './resources.js'
import type { Connections, Consent } from './types.js'

export interface OAuthDeps extends Pick<ConsentDeps, 'mailbox' | 'limits'>, Pick<GrantsDeps, 'onGrant'> {
  store: Store
  clock: Clock
  /** Missing: nothing is audited. */
  audit?: Pick<Audit, 'around' | 'record'> | undefined
  /** Without a trailing slash; also the issuer. */
  baseUrl: string
  /** Name of the mail server; undefined where mail programs have no port. */
  mailHost?: string | undefined
  /** Called when a connection has ended. */
  onEnd: (connectionId: string) => void
  documents: Pick<DocumentsDeps, 'fetch' | 'allowPrivateAddresses'>
  /** Max registrations of clients per hour; 0 disables them. */
  registrationsPerHour: number
  /** Without it, limits are of this process. */
  shared?: SharedCounts | undefined
}

export interface OAuth {
  resources: Resources
  consent: Consent
  connections: Connections
  grants: Grants
  /** Undefined: registration is disabled. */
  registrations: Pick<Registrations, 'register'> | undefined
  /** Removes what depends on an expired entry found by `sweepExpired`. */
  forget(kind: string, record: unknown): Promise<void>
}

const connectionRef = z.object({ accountId: z.string(), connectionId: z.string() })

/** Max per network and hour. */
const REGISTRATIONS_PER_NETWORK = 30
const DOCUMENTS_PER_NETWORK = 60
const DOCUMENTS_PER_HOUR = 3000

export function createOAuth(deps: OAuthDeps): OAuth {
  const { store, clock, baseUrl, registrationsPerHour, shared = NOT_SHARED } = deps
  const quota = (name: string, limits: QuotaLimits): Quota => createQuota(limits, clock, { counts: shared, name })
  const lists = createLists(store)
  const resources = createResources(baseUrl, deps.mailHost)
  const registrations = createRegistrations({
    store,
    clock,
    quota: quota('oauth registrations', { perNetwork: REGISTRATIONS_PER_NETWORK, inAll: registrationsPerHour }),
  })
  const documents = createDocuments({
    ...deps.documents,
    clock,
    quota: quota('oauth documents', { perNetwork: DOCUMENTS_PER_NETWORK, inAll: DOCUMENTS_PER_HOUR }),
  })
  const clients = createClients(registrations, documents)
  const ending = createEnding({ store, clock, lists, onEnd: deps.onEnd })
  return {
    resources,
    consent: createConsent({ ...deps, lists, clients, resources, issuer: baseUrl }),
    connections: ending,
    grants: new Grants({ audit: deps.audit, store, clock, lists, ending, clients, resources, onGrant: deps.onGrant }),
    registrations: registrationsPerHour > 0 ? registrations : undefined,
    async forget(kind, record) {
      if (kind === CODE_KIND || kind === CONNECTION_KIND) await forgetEnded(store, clock, connectionRef.parse(record))
    },
  }
}
