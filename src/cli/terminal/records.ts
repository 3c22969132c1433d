/** DNS records to publish, for terminals and programs. */
import type { PublishedRecord } from '../../publish/types.js'

/** Lines to type into a DNS panel: name, type, whole value. */
export function listing(records: PublishedRecord[]): string {
  const owners = [...new Set(records.map(({ owner }) => owner))]
  return owners
    .map((owner) => {
      const own = records.filter((record) => record.owner === owner)
      return [`== ${owner}`, ...own.map(entry)].join('\n\n')
    })
    .join('\n\n')
}

function entry({ name, type, value, required, about }: PublishedRecord): string {
  return `${type} ${name}${required ? '' : '  (advised)'}\n    ${value ?? '(yours to fill in)'}\n    ${about}`
}

export function view({ kind, owner, name, type, value, zoneLine, required, about }: PublishedRecord) {
  return { kind, owner, name, type, value, zone_line: zoneLine, required, about }
}
