/** What mail programs are told of this server: its services, the same in every document and DNS record. */
import { programPorts, type ProgramPorts } from '../../config/derived.js'
import type { Config } from '../../config/schema.js'

export interface ProgramService {
  protocol: 'imap' | 'smtp'
  host: string
  port: number
  /** TLS from the first byte (RFC 8314 §3), or by STARTTLS. */
  security: 'tls' | 'starttls'
}

export type ServicePorts = Partial<Record<'imap' | 'submission', ProgramPorts>>

/** By the settings, with TLS from the first byte before STARTTLS; empty if the server has no port for programs. */
export function programServices(config: Pick<Config, 'domains' | 'imap' | 'submission'>): ProgramService[] {
  const [imap, submission] = [programPorts(config, 'imap'), programPorts(config, 'submission')]
  return servicesOf({ ...(imap && { imap }), ...(submission && { submission }) })
}

export function servicesOf({ imap, submission }: ServicePorts): ProgramService[] {
  return [...(imap ? bySecurity('imap', imap) : []), ...(submission ? bySecurity('smtp', submission) : [])]
}

function bySecurity(protocol: ProgramService['protocol'], { host, tls, startTls }: ProgramPorts): ProgramService[] {
  return [
    ...(tls === undefined ? [] : [{ protocol, host, port: tls, security: 'tls' as const }]),
    ...(startTls === undefined ? [] : [{ protocol, host, port: startTls, security: 'starttls' as const }]),
  ]
}

/** The best service of each protocol, for formats that take one of each; undefined unless a program can read and send. */
export function bestOfBoth(
  services: readonly ProgramService[],
): { incoming: ProgramService; outgoing: ProgramService } | undefined {
  const incoming = services.find(({ protocol }) => protocol === 'imap')
  const outgoing = services.find(({ protocol }) => protocol === 'smtp')
  return incoming && outgoing && { incoming, outgoing }
}
