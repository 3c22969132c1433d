/** The admin listener over faked parts. */
import type { Test } from 'tap'
import { adminRoutes } from '../../src/admin/routes.js'
import { startAdmin } from '../../src/admin/start.js'
import type { AccountParts } from '../../src/admin/accounts.js'
import type { ConnectionParts } from '../../src/admin/connections.js'
import type { DayParts } from '../../src/admin/day.js'
import type { OperatorQueue } from '../../src/relay/operator/types.js'
import type { HttpServer } from '../../src/http/server/server.js'
import { bindRoutes } from '../../src/http/routing/route.js'
import { fakes, mailbox, type Fakes } from '../api/support/fakes.js'
import { noBackups } from '../api/support/no-backups.js'
import { noCertificates } from '../api/support/no-certificates.js'
import { testDriver } from '../http/test-driver.js'

export const TOKEN = 'admin-token'

export async function unasked(): Promise<never> {
  throw new Error('Not asked for in this test')
}

export interface AdminOptions {
  queue: OperatorQueue
  token?: string
  host?: string
  accounts?: AccountParts['accounts']
  connections?: ConnectionParts['connections']
  day?: DayParts['day']
  reload?: () => Promise<void>
  warn?: (message: string) => void
}

export async function startFakedAdmin(
  t: Pick<Test, 'fail'>,
  options: AdminOptions,
): Promise<{ server: HttpServer; domain: Fakes }> {
  const domain = fakes()
  const driver = testDriver()
  const parts = {
    claims: domain.claims,
    accounts: options.accounts ?? domain.accounts,
    listMailboxes: async () => [mailbox],
    findMailbox: domain.mailboxes.directory.resolve,
    pausing: domain.mailboxes.pausing,
    folders: domain.mailboxes.folders,
    importing: domain.mailboxes.importing,
    messageBytes: 1024 * 1024,
    readMailbox: domain.mailboxes.directory.get,
    links: {
      make: async () => ({ token: 'thetoken', expiresAt: 600_000 }),
      makeForStaff: async () => ({ token: 'stafftoken', expiresAt: 600_000 }),
    },
    baseUrl: 'https://mail.example',
    connections: options.connections ?? { list: async () => [], revoke: unasked },
    queue: options.queue,
    listRetention: async () => [],
    backups: noBackups,
    certificates: noCertificates,
    trace: unasked,
    reports: {
      summary: unasked,
      list: async () => ({ data: [], has_more: false, next_cursor: null }),
      show: async () => undefined,
    },
    receipts: { list: async () => ({ data: [], has_more: false, next_cursor: null, not_kept: 0 }) },
    day: options.day,
    audit: undefined,
    deletion: undefined,
    doctor: undefined,
    reviewing: undefined,
    correction: undefined,
    webhooks: undefined,
    tlsReports: undefined,
    mtaSts: undefined,
    reload: options.reload ?? (async () => undefined),
    checkDkimKeys: async () => ({ started: 0, retired: 0, removed: 0 }),
    metrics: async () => ({ contentType: 'text/plain; version=0.0.4', body: 'restante_up 1\n' }),
    health: { ready: () => true, httpDriver: driver.name },
  }
  const server = await startAdmin({
    driver,
    listen: { host: options.host ?? '127.0.0.1', port: 0 },
    token: options.token ?? TOKEN,
    routes: bindRoutes(adminRoutes, parts),
    onError: (error) => t.fail(String(error)),
    warn: options.warn ?? ((message) => t.fail(message)),
  })
  return { server, domain }
}
