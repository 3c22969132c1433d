/** Exports of an account's mail and data. */
import { z } from 'zod'
import { accountOf } from '../../../http/limits/authorize.js'
import { ok } from '../../../http/routing/route.js'
import type { ExportRecord } from '../../../lifecycle/export/types.js'
import { timestamp } from '../../../lib/clock.js'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { EXPORT_ID, exportQueuedExample, exportReadyExample } from './account-examples.js'
import { defineAccountRoute, forKeys, type AccountParts } from '../parts.js'
import { byId, listResponse, wholeList } from '../schemas.js'

/** An archive has all mail of the account, and its link suffices to open it. */
const readingAll = forKeys('Account', ['account:manage', 'mail:read'])

const exportSchema = z
  .object({
    id: z.string(),
    object: z.literal('export'),
    state: z
      .enum(['queued', 'building', 'ready', 'failed', 'expired'])
      .describe('queued → building → ready → expired, or failed'),
    progress: z
      .object({ messages: z.int(), messages_total: z.int(), bytes: z.int() })
      .describe('Messages that are in the archive, all there are, and the bytes of those that are in it'),
    download_url: z
      .string()
      .nullable()
      .describe(
        'While it is ready. Anyone with this URL can download the archive: keep it secret. It supports Range requests',
      ),
    size_bytes: z.int().nullable().describe('Of the archive'),
    problem: z.string().nullable().describe('Why it failed'),
    created_at: timeSchema,
    ready_at: timeSchema.nullable(),
    expires_at: timeSchema.nullable().describe('When the archive and its URL are gone'),
  })
  .meta({ id: 'Export' })

export const exportRoutes = [
  defineAccountRoute({
    method: 'POST',
    path: '/v1/account/export',
    operationId: 'createExport',
    summary: 'Request an archive of all mail and data of the account',
    description:
      'A zip archive with the mail of every mailbox of the account in mbox format and metadata in JSON, without any key. It is built in the background: an `export.ready` event comes to every mailbox, and a letter to the owner. While one is being built, it is returned; the next can start an hour after the last. The archive and its URL are gone after 7 days; the two newest archives of an account are kept.',
    ...readingAll,
    idempotent: 'answer',
    responses: {
      202: {
        description: 'The export is being built; poll GET /v1/account/exports/{id}',
        schema: exportSchema,
        example: exportQueuedExample,
      },
    },
    errors: ['rate_limited', 'unavailable'],
    async handler({ caller }, parts) {
      return { status: 202, json: toJson(await parts.exports.request(accountOf(caller).id), parts) }
    },
  }),
  defineAccountRoute({
    method: 'GET',
    path: '/v1/account/exports',
    operationId: 'listExports',
    summary: 'List exports',
    description: 'Newest first: the last 20 of the last 30 days.',
    ...readingAll,
    responses: listResponse('All of them', 'ExportList', exportSchema, exportReadyExample),
    async handler({ caller }, parts) {
      const records = await parts.exports.list(accountOf(caller).id)
      return ok(wholeList(records.map((record) => toJson(record, parts))))
    },
  }),
  defineAccountRoute({
    method: 'GET',
    path: '/v1/account/exports/{id}',
    operationId: 'getExport',
    summary: 'Get the progress and download URL of an export',
    ...readingAll,
    ...byId(EXPORT_ID),
    responses: { 200: { description: 'The export', schema: exportSchema, example: exportReadyExample } },
    handler: async ({ params, caller }, parts) =>
      ok(toJson(await parts.exports.get(accountOf(caller).id, params.id), parts)),
  }),
]

function toJson(
  record: ExportRecord,
  { exports, baseUrl }: Pick<AccountParts, 'exports' | 'baseUrl'>,
): z.output<typeof exportSchema> {
  const link = exports.linkTo(record)
  const time = (ms: number | null): string | null => (ms === null ? null : timestamp(ms))
  return {
    id: record.id,
    object: 'export',
    state: record.state,
    progress: {
      messages: record.progress.messages,
      messages_total: record.progress.messagesTotal,
      bytes: record.progress.bytes,
    },
    download_url: link === undefined ? null : `${baseUrl}/export/${link}`,
    size_bytes: record.sizeBytes,
    problem: record.problem,
    created_at: timestamp(record.createdAt),
    ready_at: time(record.readyAt),
    expires_at: time(record.expiresAt),
  }
}
