/** Checks the ports for mail programs by the public name and addresses of the host, as a program reaches them. */
import type { Config } from '../../config/schema.js'
import type { Resolver } from '../../dns/types.js'
import { isPublicAddress } from '../../lib/ip.js'
import { programServices, type ProgramService } from '../../publish/programs/services.js'
import { about, advice, command, failed, ok, shown, skipped, warning } from './finding.js'
import { addressesOf } from './network.js'
import type { Probed } from './program-probe.js'
import type { Finding } from './types.js'

export const NO_PROGRAMS = 'the server has no port for mail programs (imap.listen_tls, submission.listen_tls)'

export async function checkPrograms(
  config: Pick<Config, 'domains' | 'imap' | 'submission' | 'relay'>,
  deps: {
    resolver: Pick<Resolver, 'a' | 'aaaa'>
    isRunning: boolean
    probe: (service: ProgramService, address: string) => Promise<Probed>
  },
): Promise<Finding[]> {
  const services = programServices(config)
  if (services.length === 0) return [skipped(NO_PROGRAMS)]
  if (!deps.isRunning) return [skipped('no daemon is running')]
  const { hostname } = config.domains
  const addresses = (await addressesOf(deps.resolver, hostname)).filter(
    (address) => config.relay.allow_private_addresses || isPublicAddress(address),
  )
  if (addresses.length === 0) return [skipped(`${hostname} has no public address`)]
  return Promise.all(
    addresses.flatMap((address) =>
      services.map(async (service) =>
        about(`port ${service.port} at ${address}`, findingOf(service, await deps.probe(service, address))),
      ),
    ),
  )
}

const CERTIFICATE = [
  command('restante doctor   # tls.smtp is the check of the certificate'),
  advice('The certificate has to be valid for domains.hostname: that of smtp.tls_cert, or the one of tls.acme.'),
]

function findingOf({ protocol, host, port, security }: ProgramService, probed: Probed): Finding {
  const what = protocol === 'imap' ? 'reading (IMAP)' : 'sending (SMTP)'
  if ('problem' in probed)
    return warning(
      `it does not answer from here (${shown(probed.problem)}); behind NAT it may still answer from outside`,
      command(`${openssl(protocol, host, port, security)}   # from another machine`),
      advice(
        `If it does not answer there either: open incoming port ${port} in the firewall of the machine and of the provider.`,
      ),
    )
  const { greeting, certificate, offers } = probed
  if (!isOurs(protocol, greeting, host))
    return failed(`another server answers: ${shown(greeting)}`, command(`ss -ltnp sport = :${port}`))
  if (offers?.password === true)
    return failed(
      'it takes passwords before TLS, where others can read them',
      command(`ss -ltnp sport = :${port}`),
      advice('Restante does not do that: a proxy or another server in front does.'),
    )
  if (offers?.startTls === false)
    return failed('it does not offer STARTTLS, so programs cannot sign in', ...CERTIFICATE)
  if ('problem' in certificate) return failed(`TLS does not work: ${shown(certificate.problem)}`, ...CERTIFICATE)
  if (certificate.wrong !== undefined)
    return failed(`mail programs refuse its certificate: ${shown(certificate.wrong)}`, ...CERTIFICATE)
  return ok(`${what} answers with ${security === 'tls' ? 'TLS' : 'STARTTLS'} and a certificate valid for ${host}`)
}

/** RFC 5321 §4.2: the name is in the greeting. That of IMAP has none. */
function isOurs(protocol: ProgramService['protocol'], greeting: string, host: string): boolean {
  return protocol === 'imap' ? greeting.startsWith('* OK') : greeting.startsWith(`220 ${host} `)
}

function openssl(
  protocol: ProgramService['protocol'],
  host: string,
  port: number,
  security: ProgramService['security'],
): string {
  const start = security === 'starttls' ? ` -starttls ${protocol}` : ''
  return `openssl s_client -connect ${host}:${port} -servername ${host}${start}`
}
