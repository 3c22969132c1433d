/** Parses MTA-STS records and policies of strangers (RFC 8461 §3.1, §3.2). */

export interface StsPolicy {
  /** The `id` of the TXT record. */
  id: string
  mode: 'enforce' | 'testing' | 'none'
  /** Lower-case patterns; a leading `*.` stands for one label. */
  mx: string[]
  maxAgeSeconds: number
}

/** RFC 8461 §3.2: about a year. */
const MAX_AGE_SECONDS = 31_557_600
const MAX_PATTERNS = 100
const PATTERN = /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** @param records of `_mta-sts.DOMAIN` @returns undefined without exactly one readable record (RFC 8461 §3.1) */
export function policyId(records: string[]): string | undefined {
  const own = records.filter((record) => /^v=STSv1[ \t]*;/.test(record))
  const [record] = own
  if (record === undefined || own.length !== 1) return undefined
  const ids = record
    .split(';')
    .slice(1)
    .flatMap((field) => /^[ \t]*id[ \t]*=[ \t]*([a-z0-9]{1,32})[ \t]*$/i.exec(field)?.[1] ?? [])
  return ids[0]
}

/** @returns undefined if invalid (RFC 8461 §3.2) */
export function parsePolicy(text: string, id: string): StsPolicy | undefined {
  const fields = new Map<string, string>()
  const mx: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^[ \t]*([a-z0-9][a-z0-9_.-]{0,31})[ \t]*:[ \t]*(.*)$/i.exec(line) ?? []
    if (name === undefined || value === undefined) {
      if (line.trim() === '') continue
      return undefined
    }
    // The first of repeated fields counts, except for mx.
    if (name === 'mx') mx.push(value.trim().toLowerCase().replace(/\.$/, ''))
    else if (!fields.has(name)) fields.set(name, value.trim())
  }
  const [mode, age] = [fields.get('mode'), fields.get('max_age') ?? '']
  if (fields.get('version') !== 'STSv1' || !/^\d{1,10}$/.test(age)) return undefined
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return undefined
  if (mode !== 'none' && mx.length === 0) return undefined
  if (mx.length > MAX_PATTERNS || mx.some((pattern) => pattern.length > 255 || !PATTERN.test(pattern))) return undefined
  return { id, mode, mx, maxAgeSeconds: Math.min(Number(age), MAX_AGE_SECONDS) }
}

/** RFC 8461 §4.1: `*.example.com` is one label and the rest; otherwise the host itself. */
export function matchesPolicy({ mx }: StsPolicy, host: string): boolean {
  const name = host.toLowerCase()
  const parent = name.slice(name.indexOf('.'))
  return mx.some(
    (pattern) => pattern === name || (pattern.startsWith('*.') && name.includes('.') && pattern.slice(1) === parent),
  )
}
