/** What processes tell each other by NOTIFY, as JSON. */
import { z } from 'zod'

/**
 * `moved`: partitions and the versions that they were given. `missed`: commits of which nothing is told one by one. `probe`: by which a process finds
 * out if it hears anything.
 */
export type Notification = z.output<typeof notificationSchema>

const versionSchema = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt)

const notificationSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('moved'),
    from: z.string(),
    versions: z.array(z.tuple([z.string(), versionSchema])),
  }),
  z.object({ kind: z.literal('missed'), from: z.string() }),
  z.object({ kind: z.literal('probe'), from: z.string(), number: z.int() }),
])

/** PostgreSQL takes less than 8,000 bytes. A partition takes 2,433 at most: 400 octets, each written as six, and its version. */
const MAX_BYTES = 7_900

/** @returns payloads, as few as they fit in */
export function writeMoved(from: string, versions: Iterable<readonly [string, bigint]>): string[] {
  const start = `{"kind":"moved","from":${JSON.stringify(from)},"versions":[`
  const payloads: string[] = []
  let entries: string[] = []
  let bytes = 0
  const end = (): void => {
    if (entries.length > 0) payloads.push(`${start}${entries.join(',')}]}`)
    entries = []
    bytes = Buffer.byteLength(start) + 2
  }
  end()
  for (const [partition, version] of versions) {
    const entry = JSON.stringify([partition, String(version)])
    const length = Buffer.byteLength(entry) + 1
    if (bytes + length > MAX_BYTES) end()
    entries.push(entry)
    bytes += length
  }
  end()
  return payloads
}

export function writeMissed(from: string): string {
  return JSON.stringify({ kind: 'missed', from } satisfies Notification)
}

export function writeProbe(from: string, number: number): string {
  return JSON.stringify({ kind: 'probe', from, number } satisfies Notification)
}

/** @returns undefined for what another version of the program wrote, or somebody else */
export function readNotification(payload: string): Notification | undefined {
  let json: unknown
  try {
    json = JSON.parse(payload)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  return notificationSchema.safeParse(json).data
}
