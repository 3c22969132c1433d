/** Formats the records as lines of a zone file (RFC 1035 §5.1). */
import type { PublishedRecord } from './types.js'

const COMMENT_WIDTH = 110

export function zoneFile(records: readonly PublishedRecord[]): string {
  return records.map((record) => [...comment(record.about), lineOf(record)].join('\n')).join('\n\n')
}

function lineOf({ kind, zoneLine, name, type, value }: PublishedRecord): string {
  if (zoneLine === null)
    return `; ${kind === 'reverse' ? `<address>. IN PTR ${name}.` : `${name}. IN ${type} ${value ?? '<address>'}`}`
  // A TLSA record that is not maintained stops mail, so it is commented out.
  return kind === 'tlsa' ? `; ${zoneLine}` : zoneLine
}

function comment(text: string): string[] {
  return (text.match(new RegExp(`.{1,${COMMENT_WIDTH}}(?:\\s|$)`, 'g')) ?? []).map((line) => `; ${line.trimEnd()}`)
}
