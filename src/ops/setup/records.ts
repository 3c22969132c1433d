/** The records to publish, with the addresses of this machine, and the policy that applies once there is a certificate. */
import type { DkimKeyInfo } from '../../authentication/keys.js'
import type { Config } from '../../config/schema.js'
import { isPublicAddress } from '../../lib/ip.js'
import { domainRecords, hostRecords } from '../../publish/records.js'
import type { PublishedRecord, RecordKind } from '../../publish/types.js'

/** @param addresses of this machine */
export function recordsToPublish(
  config: Config,
  keys: readonly DkimKeyInfo[],
  addresses: readonly string[],
): PublishedRecord[] {
  const { smtp } = config
  // The id of the policy is the same with any certificate, so its record can be published together with the others.
  const planned = { ...config, smtp: { ...smtp, tls_cert: smtp.tls_cert || 'later' } }
  return withAddresses(
    [
      ...config.domains.names.flatMap((domain) => domainRecords(planned, domain, keys)),
      ...hostRecords(config, undefined),
    ],
    addresses,
  )
}

/** Records of addresses. */
const HOSTS: readonly RecordKind[] = ['address', 'mta-sts-host', 'settings-host']

/** Adds the host's public addresses to its records; unchanged if none is known. */
export function withAddresses(records: readonly PublishedRecord[], addresses: readonly string[]): PublishedRecord[] {
  const known = addresses.filter(isPublicAddress)
  return records.flatMap((record) => oneForEach(record, known))
}

function oneForEach(record: PublishedRecord, addresses: readonly string[]): PublishedRecord[] {
  if (record.kind === 'reverse')
    return [{ ...record, about: [record.about, ...addresses.map((address) => `The address: ${address}.`)].join(' ') }]
  if (!HOSTS.includes(record.kind) || addresses.length === 0) return [record]
  return addresses.map((address) => {
    const type = address.includes(':') ? 'AAAA' : 'A'
    return { ...record, type, value: address, zoneLine: `${record.name}. IN ${type} ${address}` }
  })
}
