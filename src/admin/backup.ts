/** Backups over the admin listener: start and progress. */
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { wholeNumber } from '../http/whole-number.js'
import type { Backups } from '../ops/backup/backups.js'
import { adminRoutesWith } from './define.js'

export interface BackupParts {
  backups: Pick<Backups, 'begin' | 'wait'>
}

const MAX_WAIT_MS = 20_000

export const backupRunSchema = z.object({
  running: z.boolean(),
  bytes_done: z.int(),
  bytes_total: z.int(),
  ended: z
    .object({
      file: z.string(),
      bytes: z.int(),
      mailboxes: z.int(),
      blobs: z.int(),
      missing_blobs: z.int(),
      encrypted: z.boolean(),
    })
    .nullable(),
  error: z.string().nullable(),
})

const defineRoute = adminRoutesWith<BackupParts>()

export const backupRoutes = [
  defineRoute({
    method: 'POST',
    path: '/backup',
    operationId: 'beginBackup',
    summary: 'Start a backup; responds at once',
    body: z.strictObject({
      to: z.string().min(1).max(4096).refine(isAbsolute, 'must be a full path').optional(),
    }),
    responses: { 202: { description: 'It has begun', schema: backupRunSchema } },
    handler: async ({ body }, { backups }) => ({ status: 202, json: backups.begin(body.to) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/backup',
    operationId: 'getBackup',
    summary: 'The running or the last backup; responds when none is running, or after wait_ms',
    query: z.strictObject({ wait_ms: wholeNumber(0, MAX_WAIT_MS).default(0) }),
    responses: { 200: { description: 'That', schema: backupRunSchema } },
    handler: async ({ query }, { backups }) => ({ status: 200, json: await backups.wait(query.wait_ms) }),
  }),
]
