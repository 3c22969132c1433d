/** DNS records that the operator has to publish for a domain and for this host, made from the settings and the keys. */
import { createHash, X509Certificate } from 'node:crypto'
import type { DkimKeyInfo } from '../authentication/keys.js'
import { mayRelayOut } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import { parseHostPort } from '../lib/host-port.js'
import { txtLine } from '../lib/zone.js'
import { publishedPolicy } from './mta-sts.js'
import { programRecords } from './program-records.js'
import { REPORT_NAMES } from './report-names.js'
import type { PublishedRecord, RecordKind } from './types.js'
import { webHostRecord } from './web-host.js'

/** Records of the domain. */
export function domainRecords(config: Config, domain: string, keys: readonly DkimKeyInfo[]): PublishedRecord[] {
  const { domains } = config
  const policy = publishedPolicy(config)
  const txt = txtRecords(domain)
  return [
    {
      kind: 'mx',
      owner: domain,
      name: domain,
      type: 'MX',
      value: `10 ${domains.hostname}.`,
      zoneLine: `${domain}. IN MX 10 ${domains.hostname}.`,
      required: true,
      about: 'Routes mail for the domain to this host.',
    },
    txt('spf', domain, spfOf(config), true, spfAbout(config)),
    ...keys.filter((key) => key.domain === domain && !key.recordMayGo).map((key) => dkimRecord(key)),
    txt(
      'dmarc',
      `_dmarc.${domain}`,
      `v=DMARC1; p=quarantine; rua=mailto:${REPORT_NAMES.dmarc}@${domain}`,
      true,
      'Policy for forged mail of the domain, and the address for reports about it, which `restante reports` shows. Change it to p=reject once they list no mail of yours.',
    ),
    ...(policy
      ? [
          txt(
            'mta-sts' as const,
            `_mta-sts.${domain}`,
            `v=STSv1; id=${policy.id}`,
            false,
            `Senders fetch the policy at https://mta-sts.${domain}/.well-known/mta-sts.txt again when this id changes; it changes with the settings.`,
          ),
          hostOfPolicy(domain, config),
        ]
      : []),
    txt(
      'tls-rpt',
      `_smtp._tls.${domain}`,
      `v=TLSRPTv1; rua=mailto:${REPORT_NAMES.tls}@${domain}`,
      false,
      'Address for TLS reports of senders (RFC 8460), which `restante reports` shows.',
    ),
    ...programRecords(config, domain),
  ]
}

/** Records of the host name, once for all domains. */
export function hostRecords(config: Config, certificate: Buffer | undefined): PublishedRecord[] {
  const { domains } = config
  const host = domains.hostname
  const common = { owner: host, name: host, value: null, zoneLine: null }
  return [
    {
      ...common,
      kind: 'address',
      type: 'A',
      required: true,
      about: 'Public IPv4 address of this host; add an AAAA record if it sends and receives mail over IPv6.',
    },
    {
      ...common,
      kind: 'reverse',
      type: 'PTR',
      required: sendsItself(config),
      about: `Reverse DNS: the address resolves back to ${host}. Set it at the provider of the server. Large receivers refuse mail without it.`,
    },
    // RFC 7208 §2.3: for mail with the null sender, the name in HELO is checked.
    ...(domains.names.includes(host)
      ? []
      : [
          txtRecords(host)(
            'spf' as const,
            host,
            sendsItself(config) ? 'v=spf1 a -all' : 'v=spf1 -all',
            sendsItself(config),
            'SPF for mail with the null sender, such as DSNs, which is checked by the host name.',
          ),
        ]),
    ...(certificate ? [tlsaRecord(host, certificate)] : []),
  ]
}

function txtRecords(owner: string) {
  return (kind: RecordKind, name: string, value: string, required: boolean, about: string): PublishedRecord => {
    return { kind, owner, name, type: 'TXT', value, zoneLine: txtLine(name, value), required, about }
  }
}

function dkimRecord(key: DkimKeyInfo): PublishedRecord {
  const { domain, recordName, recordValue, zoneLine, state } = key
  const about = {
    signs: 'Signs mail.',
    superseded: 'Replaced just now; mail signed with it is still in transit.',
    waits: 'New; signs mail once this record is visible.',
    retired: 'Signs no more; mail signed with it may be in transit for a week.',
  }[state]
  const record = { owner: domain, name: recordName, value: recordValue, zoneLine, required: state !== 'waits' }
  return { kind: 'dkim', type: 'TXT', ...record, about, key }
}

function hostOfPolicy(domain: string, config: Config): PublishedRecord {
  const name = `mta-sts.${domain}`
  return webHostRecord({ kind: 'mta-sts-host', owner: domain, name }, config, {
    https: 'which serves the policy over HTTPS ',
    proxy: '',
  })
}

/** RFC 7672 §3.1.1: DANE-EE with the hash of the public key, which can outlive the certificate. */
function tlsaRecord(host: string, certificate: Buffer): PublishedRecord {
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  const value = `3 1 1 ${createHash('sha256').update(spki).digest('hex')}`
  return {
    kind: 'tlsa',
    owner: host,
    name: `_25._tcp.${host}`,
    type: 'TLSA',
    value,
    zoneLine: `_25._tcp.${host}. IN TLSA ${value}`,
    required: false,
    certificate,
    about:
      'Only for a zone signed with DNSSEC, and only if you change it before the key of the certificate changes: senders refuse to deliver to any other key.',
  }
}

function spfOf(config: Config): string {
  if (!mayRelayOut(config)) return 'v=spf1 -all'
  const smarthost = smarthostName(config)
  return smarthost === undefined ? 'v=spf1 mx -all' : `v=spf1 mx a:${smarthost} ~all`
}

function spfAbout(config: Config): string {
  if (!mayRelayOut(config)) return 'No mail leaves this server (relay.outbound), so any mail of the domain is forged.'
  return smarthostName(config) === undefined
    ? 'Hosts that send mail of this domain: those of its MX records.'
    : 'Hosts that send mail of this domain. Replace a:… by what the provider of relay.smarthost documents, mostly an include:…; then end it with -all.'
}

function smarthostName({ relay }: Config): string | undefined {
  return relay.smarthost === '' ? undefined : (parseHostPort(relay.smarthost)?.host ?? '')
}

/** True if mail leaves from this host's own address. */
function sendsItself(config: Config): boolean {
  return mayRelayOut(config) && config.relay.smarthost === ''
}
