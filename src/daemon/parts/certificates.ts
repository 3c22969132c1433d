/** Certificates: which is used for which name, and those ordered from an authority. */
import { BY_ITSELF } from '../../audit/types.js'
import { createAuthority } from '../../certificates/authority.js'
import { createHttpChallenges } from '../../certificates/challenges.js'
import { createCertificateListing } from '../../certificates/listing.js'
import { openCertificates } from '../../certificates/certificates.js'
import { createKeeper } from '../../certificates/renewal.js'
import { createCertFiles } from '../../certificates/cert-files.js'
import type { Certificates, HeldCertificate } from '../../certificates/types.js'
import type { Sweep } from '../../jobs/retention.js'
import type { OperatorNotice } from '../../jobs/operator-mail.js'
import { DAY, SECOND, timestamp, utcDay } from '../../lib/clock.js'
import type { Certificate } from '../../smtp/tls.js'
import type { Ground } from '../layers/ground.js'
import type { Stops } from '../layers/stops.js'

export type CertificateParts = Awaited<ReturnType<typeof buildCertificates>>

/** Warns daily within this time; renewals happen weeks before. */
const NEAR_END_MS = 7 * DAY

export async function buildCertificates(
  { config, clock, store, places, resolver, metrics, audit, part }: Ground,
  tell: (notice: OperatorNotice) => void,
  { active, rest }: Stops,
) {
  const log = part('certificates')
  const files = createCertFiles(places.certificates, log)
  const held = await openCertificates(config, files)
  const unsubscribe = places.certificates.onChange(() => held.readAgain())
  rest.push(async () => unsubscribe())
  const warnOfExpired = (): void => {
    for (const { certFile, notAfter, source } of held.all())
      if (notAfter <= clock.now())
        log.warn(
          { source, file: certFile, ended: timestamp(notAfter) },
          'this certificate has expired, and others refuse it',
        )
  }
  const ending: Sweep = {
    name: 'certificates-ending',
    schedule: '13 7 * * *',
    async run() {
      const near = held.all().filter(({ notAfter }) => notAfter <= clock.now() + NEAR_END_MS)
      for (const { names, source, notAfter } of near)
        tell({
          id: `certificate-ends:${names[0] ?? source}:${utcDay(clock.now())}`,
          text: `The certificate of ${names[0] ?? source} ends at ${timestamp(notAfter)} ("restante certificate list").`,
        })
      return { near_end: near.length }
    },
  }
  warnOfExpired()
  held.onChange(warnOfExpired)
  const challenges = createHttpChallenges({ store, clock })
  metrics.gauges(
    'certificate_expiry_timestamp_seconds',
    'When the certificate of a name ends, in seconds since 1970; 0 for a name that is to have one and has none.',
    'name',
    () => [...held.wanted().map((name) => [name, 0] as const), ...held.all().map(endOf)],
  )
  if (config.tls.acme === '') {
    const listing = createCertificateListing(held, undefined)
    return { certificates: held, challenges, listing, keeper: undefined, certificateJobs: [ending] }
  }
  const orders = metrics.counter('certificate_orders_total', 'Orders of certificates by outcome.', ['outcome'])
  const keeper = createKeeper({
    ...(await createAuthority({ config, files: places.certificates, challenges, resolver, log })),
    held,
    files,
    clock,
    log,
    onOrder: (outcome) => orders.inc({ outcome }),
    onFailed: (name, problem, hasOne) =>
      tell({
        id: `certificate-failed:${name}:${utcDay(clock.now())}`,
        text: `${hasOne ? 'The certificate of' : 'No certificate could be obtained for'} ${name}${hasOne ? ' cannot be renewed' : ''}: ${problem}`,
      }),
    onIssued: (name, until) =>
      void audit
        .record({
          action: 'certificate.changed',
          actor: BY_ITSELF,
          subject: { name },
          reason: `valid until ${timestamp(until)}`,
        })
        .catch((err: unknown) => log.error({ err, name }, 'a new certificate is not in the audit log')),
  })
  active.push(() => keeper.stop())
  return {
    certificates: held,
    challenges,
    listing: createCertificateListing(held, keeper),
    keeper,
    certificateJobs: [
      ending,
      {
        name: 'certificates',
        schedule: `${everyQuarter()} * * * *`,
        async run() {
          const { renewed, failed } = await keeper.look()
          return { renewed: renewed.length, failed: failed.length }
        },
      },
    ],
  }
}

/** At random minutes, so that not all servers ask the authority at once. */
function everyQuarter(): string {
  const first = Math.floor(Math.random() * 15)
  return [0, 15, 30, 45].map((minute) => minute + first).join(',')
}

function endOf({ names, source, notAfter }: HeldCertificate): readonly [string, number] {
  return [names[0] ?? source, notAfter / SECOND]
}

/** The host's certificate, and others for clients that use another name (SNI). */
export function certificateOf(certificates: Certificates, hostname: string): Certificate | undefined {
  const main = certificates.shownBy('smtp.tls_cert', hostname)
  if (!main) return undefined
  const others = certificates
    .all()
    .flatMap(({ names }) => names)
    .filter((name) => name !== hostname && !name.startsWith('*.') && !main.names.includes(name))
  return { ...main, byName: new Map(others.map((name) => [name, certificates.of(name) ?? main])) }
}
