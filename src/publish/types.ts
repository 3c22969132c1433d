/** A DNS record to publish, with its purpose. */
import type { DkimKeyInfo } from '../authentication/keys.js'

export type RecordKind =
  | 'mx'
  | 'address'
  | 'reverse'
  | 'spf'
  | 'dkim'
  | 'dmarc'
  | 'mta-sts'
  | 'mta-sts-host'
  | 'tls-rpt'
  | 'tlsa'
  | 'srv'
  | 'settings-host'

export interface PublishedRecord {
  kind: RecordKind
  /** The domain, or the host name, that it is for. */
  owner: string
  /** Without a final dot. For `reverse` the host name: the record itself is under its address. */
  name: string
  type: 'MX' | 'A' | 'AAAA' | 'PTR' | 'TXT' | 'TLSA' | 'SRV'
  /** In one piece, as web forms take it; null if only the operator can know it. */
  value: string | null
  /** Line of a zone file; null if it belongs to another zone, or its value is not known. */
  zoneLine: string | null
  /** True if mail suffers without it. */
  required: boolean
  /** Purpose and warnings. */
  about: string
  /** For a `dkim` record. */
  key?: DkimKeyInfo
  /** For a `tlsa` record: contents of smtp.tls_cert. */
  certificate?: Buffer
}
