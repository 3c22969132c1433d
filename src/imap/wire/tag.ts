/** Tags of commands (RFC 9051 §9: tag). */

const TAG = /^[!#$&',\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]+/
const MAX_TAG_BYTES = 200

/** The tag at the start of a command line; undefined if there is no valid one. */
export function tagOf(line: Buffer): string | undefined {
  const start = line.toString('latin1', 0, Math.min(line.length, MAX_TAG_BYTES + 1))
  const tag = TAG.exec(start)?.[0]
  if (tag === undefined || tag.length > MAX_TAG_BYTES) return undefined
  return tag.length === line.length || start[tag.length] === ' ' ? tag : undefined
}
