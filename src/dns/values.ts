/** Values of DNS records in the form of the resolver's interface. */
import type { Answer } from 'dns-packet'
import type { MxRecord, SrvRecord, TlsaRecord } from './types.js'

export type Value = string | MxRecord | SrvRecord | TlsaRecord

export function isText(value: Value): value is string {
  return typeof value === 'string'
}

export function isMx(value: Value): value is MxRecord {
  return typeof value === 'object' && 'exchange' in value
}

export function isSrv(value: Value): value is SrvRecord {
  return typeof value === 'object' && 'target' in value
}

export function isTlsa(value: Value): value is TlsaRecord {
  return typeof value === 'object' && 'usage' in value
}

/** Value of a record in the form of the interface; nothing for other types. */
export function valuesOf(record: Answer): Value[] {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return [record.data]
    case 'PTR':
    case 'CNAME':
      return [record.data.toLowerCase()]
    case 'MX': {
      const { preference = 0, exchange: host } = record.data
      return [{ priority: preference, exchange: host === '.' ? '' : host.toLowerCase() }]
    }
    case 'TXT': {
      const parts = Array.isArray(record.data) ? record.data : [record.data]
      return [parts.map((part) => (typeof part === 'string' ? part : part.toString('utf8'))).join('')]
    }
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = record.data
      return [{ priority, weight, port, target: target === '.' ? '' : target.toLowerCase() }]
    }
    case 'TLSA': {
      const { usage, selector, matchingType, certificate } = record.data
      // A copy: the buffer is a window into the whole message.
      return [{ usage, selector, matchingType, data: Buffer.from(certificate) }]
    }
    default:
      return []
  }
}
