/** Messages between `restante verify` and its reading process. */
import { z } from 'zod'
import { configSchema } from '../../config/schema.js'
import { FINDINGS, type FindingKind } from '../../ops/verify/families/types.js'

export const verifyJobSchema = z.object({
  dataDir: z.string(),
  /** Settings of the store. */
  store: configSchema.shape.store,
  /** True if a daemon writes meanwhile. */
  live: z.boolean(),
  quick: z.boolean(),
  /** The oldest form of what is stored that this program reads. */
  oldestForm: z.int(),
  /** Settings of the blobs. They name no secret: other users can read the arguments of a process. */
  blobs: configSchema.shape.blobs,
})
export type VerifyJob = z.infer<typeof verifyJobSchema>

const count = z.int().min(0)
const findingSchema = z.object({
  kind: z.custom<FindingKind>((value) => typeof value === 'string' && value in FINDINGS),
  where: z.string(),
  what: z.string(),
  repair: z.enum(['repair', 'restore', 'none']),
  rowRepair: z.object({ partition: z.string(), key: z.string(), value: z.string().nullable() }).optional(),
  task: z.object({ kind: z.string(), id: z.string(), payload: z.unknown() }).optional(),
})
const verifiedSchema = z.object({
  mailboxes: count,
  messages: count,
  threads: count,
  events: count,
  files: count,
  tasks: count,
  rows: count,
  hashed: count,
  findings: z.array(findingSchema),
  more: count,
})

export const verifyMessageSchema = z.discriminatedUnion('about', [
  z.object({ about: z.literal('pages'), done: count, total: count }),
  z.object({ about: z.literal('faults'), faults: z.array(z.string()), more: count }),
  z.object({ about: z.literal('progress'), done: count, total: count, bytesRead: count, findings: count }),
  /** `form` if what is stored has one before that of this version. */
  z.object({ about: z.literal('done'), verified: verifiedSchema, form: count.optional() }),
  /**
   * What is stored has a form that this program does not read. `to` is the form that it will have, if an upgrade was begun; `by` the version of Restante
   * that wrote it.
   */
  z.object({ about: z.literal('form'), form: count, to: count.optional(), by: z.string().optional() }),
  /** The database library failed. */
  z.object({ about: z.literal('unreadable'), message: z.string() }),
  /** The database or the bucket could not be reached; the message is a sentence without its full stop. */
  z.object({ about: z.literal('unreachable'), message: z.string() }),
])
export type VerifyMessage = z.infer<typeof verifyMessageSchema>
