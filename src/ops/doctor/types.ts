/** Checks of `restante doctor` and their results. The schemas are the stable shape of `--json` and of `GET /doctor`. */
import { z } from 'zod'

/** `unknown`: it could not be determined. `skipped`: not applicable, or not requested. */
export const STATES = ['ok', 'skipped', 'unknown', 'warning', 'failed'] as const

/** In the order in which they are shown. */
export const GROUPS = ['settings', 'files', 'machine', 'resolver', 'dns', 'network', 'tls', 'services', 'mail'] as const

export const remedySchema = z.object({
  kind: z
    .enum(['command', 'record', 'setting', 'advice'])
    .describe('A shell command, a DNS record, a line of a settings file, or advice for what only a person can do'),
  text: z.string(),
  file: z.string().nullable().describe('File of a setting'),
})

export const resultSchema = z.object({
  id: z.string().describe('Stable, such as `dns.spf`'),
  group: z.enum(GROUPS),
  subject: z.string().nullable().describe('Domain, address or file that the check is about, if there are several'),
  state: z.enum(STATES),
  finding: z.string(),
  remedy: z.array(remedySchema).describe('What to do, in this order; empty if there is nothing to do'),
})

export const reportSchema = z.object({
  version: z.string().describe('Version of Restante that ran the checks'),
  at: z.iso.datetime(),
  state: z.enum(['ok', 'warning', 'failed']).describe('The worst state of all checks'),
  counts: z.object({ ok: z.int(), skipped: z.int(), unknown: z.int(), warning: z.int(), failed: z.int() }),
  checks: z.array(resultSchema),
})

export type State = (typeof STATES)[number]
export type Group = (typeof GROUPS)[number]
export type Remedy = z.infer<typeof remedySchema>
export type Result = z.infer<typeof resultSchema>
export type Report = z.infer<typeof reportSchema>

/** Result of one check for one subject. */
export interface Finding {
  state: State
  finding: string
  remedy: Remedy[]
  subject?: string
}

export interface Check {
  /** `group.name` */
  id: string
  /** @param signal aborted at its time limit. An error counts as `unknown` */
  run(signal: AbortSignal): Promise<Finding | Finding[]>
}
