/** The address record of a name under which the daemon's web server answers for a domain. */
import type { Config } from '../config/schema.js'
import type { PublishedRecord } from './types.js'

/** @param what is there, for people: completes "Address of this host, " where the daemon has HTTPS, and the sentence about a proxy in front of it */
export function webHostRecord(
  record: Pick<PublishedRecord, 'kind' | 'owner' | 'name'>,
  { server, domains }: Pick<Config, 'server' | 'domains'>,
  what: { https: string; proxy: string },
): PublishedRecord {
  return {
    ...record,
    type: 'A',
    value: null,
    zoneLine: null,
    required: false,
    about:
      server.https.length > 0
        ? `Address of this host, ${what.https}(or a CNAME to ${domains.hostname}). The certificate has to be valid for this name; tls.acme obtains one.`
        : `Address of the TLS proxy in front of server.http (or a CNAME to its name)${what.proxy}. Its certificate has to be valid for this name, and it has to pass on the Host header.`,
  }
}
