/** Stored reports of other servers about our domains: DMARC aggregate reports (RFC 7489, RFC 9990) and TLS reports (RFC 8460). */
import { z } from 'zod'
import { timeSchema } from '../../mailbox/objects/objects.js'

const authSchema = z.object({ domain: z.string(), result: z.string() })

export const dmarcRowSchema = z.object({
  source_ip: z.string(),
  count: z.int(),
  disposition: z.enum(['none', 'quarantine', 'reject']).describe('What the reporter applied'),
  dkim: z.enum(['pass', 'fail']).describe('Whether an aligned signature passed'),
  spf: z.enum(['pass', 'fail']).describe('Whether SPF passed and is aligned'),
  header_from: z.string(),
  envelope_from: z.string().nullable(),
  dkim_results: z.array(authSchema.extend({ selector: z.string().nullable() })).describe('The first of them'),
  spf_results: z.array(authSchema).describe('The first of them'),
  reasons: z.array(z.string()).describe('Why the reporter did something else than the policy asks for'),
})
export type DmarcRow = z.infer<typeof dmarcRowSchema>

export const tlsFailureSchema = z.object({
  type: z.string().describe('RFC 8460 §4.3'),
  count: z.int().describe('Sessions'),
  mx: z.string().nullable(),
  sending_ip: z.string().nullable(),
  receiving_ip: z.string().nullable(),
  detail: z.string().nullable(),
})
export type TlsFailure = z.infer<typeof tlsFailureSchema>

const common = {
  org_name: z.string().describe('What the reporter calls itself'),
  contact: z.string().nullable(),
  report_id: z.string().describe('By which the reporter knows it'),
  begin: z.int().describe('Seconds since the epoch'),
  end: z.int(),
  domain: z.string(),
}
export const dmarcReportSchema = z.object({
  kind: z.literal('dmarc'),
  ...common,
  policy: z
    .object({
      p: z.string().nullable(),
      sp: z.string().nullable(),
      np: z.string().nullable(),
      adkim: z.string().nullable(),
      aspf: z.string().nullable(),
      pct: z.string().nullable(),
      testing: z.string().nullable(),
    })
    .describe('As the reporter found it published'),
  messages: z.int(),
  passed: z.int(),
  failed: z.int(),
  quarantined: z.int(),
  rejected: z.int(),
  rows: z.array(dmarcRowSchema),
  rows_left_out: z.int().describe('Rows of the report that are in the totals alone'),
})
export const tlsReportSchema = z.object({
  kind: z.literal('tls'),
  ...common,
  policies: z.array(z.object({ type: z.string(), ok: z.int(), failed: z.int() })),
  sessions_ok: z.int(),
  sessions_failed: z.int(),
  rows: z.array(tlsFailureSchema),
  rows_left_out: z.int(),
})

/** As parsed, bounded. */
export type DmarcReport = z.infer<typeof dmarcReportSchema>
export type TlsReport = z.infer<typeof tlsReportSchema>
export type ReadReport = DmarcReport | TlsReport

/** Verification of the reporter: DMARC passed for the domain in From, or that domain signed the mail. */
export interface Proof {
  domain: string
  by: 'dmarc' | 'dkim'
}

const kept = {
  id: z.string(),
  reporter: z.string().describe('The domain that is proven to have sent it'),
  proven_by: z.enum(['dmarc', 'dkim']),
  message_id: z.string().describe("The mail it came in, in the operator's mailbox"),
  received_at: timeSchema,
}
const timeRange = { begin: timeSchema, end: timeSchema }
export const keptReportSchema = z.discriminatedUnion('kind', [
  dmarcReportSchema.omit({ rows: true }).extend({ ...kept, ...timeRange, rows: z.int() }),
  tlsReportSchema.omit({ rows: true }).extend({ ...kept, ...timeRange, rows: z.int() }),
])
export type KeptReport = z.infer<typeof keptReportSchema>

/** Why a mail that looks like a report was refused. */
export const REFUSALS = [
  'unauthenticated',
  'no_report',
  'broken',
  'too_large',
  'too_deep',
  'too_many_records',
  'too_slow',
  'dtd',
  'not_ours',
  'bad_dates',
  'too_old',
  'duplicate',
  'full',
] as const
export type Refusal = (typeof REFUSALS)[number]

/** Thrown while parsing; never leaves this folder. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal)
    this.name = 'Refused'
  }
}

export type Reading = { kind: 'read'; report: ReadReport } | { kind: 'refused'; refusal: Refusal }
