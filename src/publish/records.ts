/** Every DNS record that the operator has to publish for a domain and for this host, made from the settings and the keys. */
import { createHash, X509Certificate } from 'node:crypto'
import type { DkimKeyInfo } from '../authentication/keys.js'
import { mayRelayOut } from '../config/derived.js'
import type { Config } from '../config/schema.js'
import { parseHostPort } from '../lib/host-port.js'
import { txtLine } from '../lib/zone.js'
import { publishedPolicy } from './mta-sts.js'
import { REPORT_NAMES } from './report-names.js'

export type RecordKind =
  'mx' | 'address' | 'reverse' | 'spf' | 'dkim' | 'dmarc' | 'mta-sts' | 'mta-sts-host' | 'tls-rpt' | 'tlsa'

export interface PublishedRecord {
  kind: RecordKind
  /** Whose it is: a domain, or the host's name. */
  owner: string
  /** Without a final dot. For `reverse` the host's name: the record stands under its address. */
  name: string
  type: 'MX' | 'A' | 'AAAA' | 'PTR' | 'TXT' | 'TLSA'
  /** In one piece, as panels take it; null when only the operator can know it. */
  value: string | null
  /** As a line of a zone file; null when it stands in somebody else's zone, or its value is not known. */
  zoneLine: string | null
  /** Whether mail suffers without it. */
  required: boolean
  /** What it does, and what to mind. */
  about: string
  /** Of a `dkim` record. */
  key?: DkimKeyInfo
  /** Of a `tlsa` record: what smtp.tls_cert holds. */
  certificate?: Buffer
}

/** What stands under the domain. */
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
      about: 'Mail for the domain comes to this host.',
    },
    txt('spf', domain, spfOf(config), true, spfAbout(config)),
    ...keys.filter((key) => key.domain === domain && !key.recordMayGo).map((key) => dkimRecord(key)),
    txt(
      'dmarc',
      `_dmarc.${domain}`,
      `v=DMARC1; p=quarantine; rua=mailto:${REPORT_NAMES.dmarc}@${domain}`,
      true,
      'What others do with mail that only pretends to come from here, and where they report it. `restante reports` reads the reports. Make it p=reject once they name no mail of yours.',
    ),
    ...(policy
      ? [
          txt(
            'mta-sts' as const,
            `_mta-sts.${domain}`,
            `v=STSv1; id=${policy.id}`,
            false,
            `Senders read the policy at https://mta-sts.${domain}/.well-known/mta-sts.txt anew when this id changes; it changes with the settings.`,
          ),
          hostOfPolicy(domain, config),
        ]
      : []),
    txt(
      'tls-rpt',
      `_smtp._tls.${domain}`,
      `v=TLSRPTv1; rua=mailto:${REPORT_NAMES.tls}@${domain}`,
      false,
      'Where senders report what went wrong with TLS on the way here (RFC 8460); `restante reports` reads it.',
    ),
  ]
}

/** What stands under the host's own name, once for all domains. */
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
      about: 'The public IPv4 address of this host; an AAAA record as well where mail is sent and received over IPv6.',
    },
    {
      ...common,
      kind: 'reverse',
      type: 'PTR',
      required: sendsItself(config),
      about: `The address leads back to ${host}: set where the address is rented, at the provider of the server. Large receivers refuse mail without it.`,
    },
    // RFC 7208 §2.3: notices of delivery have no sender, so the name in HELO is what is checked.
    ...(domains.names.includes(host)
      ? []
      : [
          txtRecords(host)(
            'spf' as const,
            host,
            sendsItself(config) ? 'v=spf1 a -all' : 'v=spf1 -all',
            sendsItself(config),
            'For mail without a sender, such as notices of delivery, which is judged by the name of the host.',
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
    signs: 'Mail is signed with this key.',
    superseded: 'A key that has just been replaced; mail signed with it is on its way.',
    waits: 'A new key, which signs once this record can be seen.',
    retired: 'A key that signs no more; mail signed with it may be on its way for a week.',
  }[state]
  const record = { owner: domain, name: recordName, value: recordValue, zoneLine, required: state !== 'waits' }
  return { kind: 'dkim', type: 'TXT', ...record, about, key }
}

function hostOfPolicy(domain: string, { server, domains }: Config): PublishedRecord {
  return {
    kind: 'mta-sts-host',
    owner: domain,
    name: `mta-sts.${domain}`,
    type: 'A',
    value: null,
    zoneLine: null,
    required: false,
    about:
      server.https.length > 0
        ? `The address of this host, which serves the policy over HTTPS (a CNAME to ${domains.hostname} will do). Its certificate has to be valid for this name; with tls.acme it is asked for by itself.`
        : 'The address of the proxy with TLS in front of server.http (a CNAME to its name will do). Its certificate has to be valid for this name, and it has to pass the Host header on.',
  }
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
      'Only in a zone that is signed with DNSSEC, and only when it is changed before the key of the certificate is: senders refuse to deliver to a key that it does not name.',
  }
}

function spfOf(config: Config): string {
  if (!mayRelayOut(config)) return 'v=spf1 -all'
  const smarthost = smarthostName(config)
  return smarthost === undefined ? 'v=spf1 mx -all' : `v=spf1 mx a:${smarthost} ~all`
}

function spfAbout(config: Config): string {
  if (!mayRelayOut(config)) return 'No mail leaves this server (relay.outbound), so none is genuine.'
  return smarthostName(config) === undefined
    ? 'Which hosts send mail of this domain: those of its MX records.'
    : 'Which hosts send mail of this domain. The provider of relay.smarthost names what to put in place of a:…, mostly an include:…; then end it with -all.'
}

function smarthostName({ relay }: Config): string | undefined {
  return relay.smarthost === '' ? undefined : (parseHostPort(relay.smarthost)?.host ?? '')
}

/** Whether mail leaves from this host's own address. */
function sendsItself(config: Config): boolean {
  return mayRelayOut(config) && config.relay.smarthost === ''
}
