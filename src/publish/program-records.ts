/** DNS records by which mail programs find the server (RFC 6186, RFC 8314 §5.1), and the hosts under which they ask for settings. */
import { settingsHosts } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import { programServices, type ProgramService } from './programs/services.js'
import type { PublishedRecord } from './types.js'
import { webHostRecord } from './web-host.js'

const SERVICES: readonly {
  label: string
  protocol: ProgramService['protocol']
  security: ProgramService['security']
}[] = [
  { label: '_imaps', protocol: 'imap', security: 'tls' },
  { label: '_imap', protocol: 'imap', security: 'starttls' },
  { label: '_submissions', protocol: 'smtp', security: 'tls' },
  { label: '_submission', protocol: 'smtp', security: 'starttls' },
]
/** RFC 6186 §3.3: the lower one is preferred, also between services. */
const PRIORITY = { tls: 0, starttls: 10 } as const
const HTTPS_PORT = 443

/** None if the server has no port for programs. */
export function programRecords(config: Config, domain: string): PublishedRecord[] {
  const services = programServices(config)
  if (services.length === 0) return []
  return [
    ...SERVICES.map(({ label, protocol, security }) => {
      const service = services.find((each) => each.protocol === protocol && each.security === security)
      return service
        ? srv(label, domain, `${PRIORITY[security]} 1 ${service.port} ${service.host}.`, OFFERED[protocol])
        : srv(label, domain, '0 0 0 .', 'Tells mail programs that this service is not offered.')
    }),
    ...autodiscoverRecord(config, domain),
    ...settingsHosts(domain).map((name) => settingsHost(name, domain, config)),
  ]
}

const OFFERED = {
  imap: 'Leads mail programs to the server for reading (RFC 6186).',
  smtp: 'Leads mail programs to the server for sending (RFC 6186, RFC 8314).',
}

/** Outlook asks there if `autodiscover.` has no certificate. */
function autodiscoverRecord({ server }: Config, domain: string): PublishedRecord[] {
  const { protocol, hostname, port } = new URL(server.base_url)
  if (protocol !== 'https:') return []
  const about = 'Leads Outlook to the settings for mail programs.'
  return [srv('_autodiscover', domain, `0 1 ${port === '' ? HTTPS_PORT : port} ${hostname}.`, about)]
}

function srv(label: string, domain: string, value: string, about: string): PublishedRecord {
  const name = `${label}._tcp.${domain}`
  return {
    kind: 'srv',
    owner: domain,
    name,
    type: 'SRV',
    value,
    zoneLine: `${name}. IN SRV ${value}`,
    required: false,
    about,
  }
}

function settingsHost(name: string, domain: string, config: Config): PublishedRecord {
  return webHostRecord({ kind: 'settings-host', owner: domain, name }, config, {
    https: 'where mail programs fetch their settings over HTTPS ',
    proxy: ', where mail programs fetch their settings',
  })
}
