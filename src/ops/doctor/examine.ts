/** One run of the checks, with new resolvers, so that a record that has just been published is seen. */
import { openDkimKeys } from '../../authentication/keys.js'
import { smtpCertificate, wantedNames } from '../../certificates/stored.js'
import type { Config } from '../../config/schema.js'
import { createResolver } from '../../dns/resolver.js'
import { MINUTE, SECOND, type Clock } from '../../lib/clock.js'
import { withSecretPlaces, type SecretPlaces } from '../database/secret-places.js'
import { allChecks, type DoctorDeps } from './checks.js'
import { processFacts, type Facts } from './facts.js'
import { thisMachine } from './machine.js'
import { runChecks } from './run.js'
import type { Report } from './types.js'

export interface Examination {
  config: Config
  clock: Clock
  version: string
  facts: DoctorDeps['facts']
  /** Also connect to external mail servers. */
  outward: boolean
  /** ` --config DIR`, by which another command finds the same settings; '' for none. */
  commandOptions: string
  /** Folder of settings, for the names of files in remedies. */
  configDir?: string | undefined
  timeoutMs?: number
  /** Those of the daemon; by default they are opened for each check. */
  places?: SecretPlaces
  /** Prefixes of the ids to run; all by default. */
  only?: readonly string[]
}

export async function examine(wanted: Examination): Promise<Report> {
  const { config, clock, timeoutMs, places } = wanted
  const inPlaces = <T>(use: (places: SecretPlaces) => Promise<T>): Promise<T> =>
    places ? use(places) : withSecretPlaces(config, use)
  const { dns, dns_validates: validates } = config.server
  const resolver = createResolver({ servers: dns, validates, clock })
  const trustingResolver = createResolver({ servers: dns, validates: 'on', clock })
  try {
    const checks = allChecks({
      ...wanted,
      resolver,
      trustingResolver,
      machine: thisMachine,
      dkimKeys: () => inPlaces(async ({ dkim }) => (await openDkimKeys({ files: dkim, clock })).list()),
      smtpCertificate: () => inPlaces(({ certificates }) => smtpCertificate(config, certificates)),
      wantedNames: () => inPlaces(({ certificates }) => wantedNames(config, certificates)),
    })
    const { only } = wanted
    const some = checks.filter(({ id }) => only === undefined || only.some((beginning) => id.startsWith(beginning)))
    return await runChecks(some, { ...wanted, ...(timeoutMs !== undefined && { timeoutMs }) })
  } finally {
    resolver.close()
    trustingResolver.close()
  }
}

/** Facts of the daemon's parts; those of its process are added here. */
export type Told = Omit<Facts, keyof Awaited<ReturnType<typeof processFacts>>>

export interface Doctor {
  facts(): Promise<Facts>
  /** Cached for a minute; concurrent callers share one run. */
  report(): Promise<Report>
}

const KEPT_MS = MINUTE
/** Monitoring usually waits for half a minute at most. */
const CHECK_MS = 12 * SECOND

/** The doctor within the daemon. It contacts only servers that the daemon itself uses, and no mail servers. */
export function createDoctor(deps: {
  config: Config
  clock: Clock
  version: string
  places: SecretPlaces
  told: () => Promise<Told>
}): Doctor {
  const { config, clock, version, places, told } = deps
  let kept: { until: number; report: Promise<Report> } | undefined

  const facts = async (): Promise<Facts> => ({ ...(await processFacts()), ...(await told()) })
  const look = async (): Promise<Report> =>
    examine({
      config,
      clock,
      version,
      places,
      facts: await facts(),
      outward: false,
      commandOptions: '',
      timeoutMs: CHECK_MS,
    })

  return {
    facts,
    report() {
      const now = clock.now()
      if (kept && now < kept.until) return kept.report
      const report = look()
      kept = { until: now + KEPT_MS, report }
      // A failed one is not cached.
      report.catch(() => (kept = undefined))
      return report
    },
  }
}
