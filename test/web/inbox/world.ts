/** The inbox over a real mailbox domain, without a server: two mailboxes of Eve's beside the first, and one of somebody else. */
import type { Test } from 'tap'
import { createPictureSenders } from '../../../src/accounts/picture-senders.js'
import { accountPartition, ensureRecord } from '../../../src/accounts/record.js'
import type { Session } from '../../../src/accounts/sessions.js'
import { createAudit } from '../../../src/audit/audit.js'
import type { AuditEntry } from '../../../src/audit/types.js'
import type { ApiKey } from '../../../src/accounts/types.js'
import type { HttpResponse } from '../../../src/http/message.js'
import { createMatcher } from '../../../src/http/routing/match.js'
import { DAY } from '../../../src/lib/clock.js'
import { newId } from '../../../src/lib/ids.js'
import { ServiceError } from '../../../src/lib/errors.js'
import { createMailbox } from '../../../src/mailbox/record.js'
import { createStore } from '../../../src/store/store.js'
import type { InboxDeps } from '../../../src/web/inbox/deps.js'
import { inboxPages } from '../../../src/web/inbox/pages.js'
import { writePages } from '../../../src/web/write/pages.js'
import { markOf } from '../../../src/web/page/form.js'
import type { FormFile } from '../../../src/web/page/multipart.js'
import { errorPage, framed } from '../../../src/web/page/frame.js'
import { servePage } from '../../../src/web/page/page.js'
import { reviewIn } from '../../mailbox/review/world.js'
import { makeWorld, type World } from '../../mailbox/world.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { BRAND, ORIGIN, visitTo, type Visit } from '../page-visit.js'

const WEB_KEY = Buffer.alloc(32, 7)
export const TOKEN = 'a'.repeat(43)
const MARK = markOf(WEB_KEY, TOKEN)
export const EVIL = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&`

export interface Opened {
  status: number
  text: string
  headers: Record<string, string | string[]>
  body: HttpResponse['body']
}

export interface InboxWorld extends World {
  /** Reads of the domain since the test set it to 0. */
  reads: { lists: number }
  deps: InboxDeps
  session: Session
  sessions: Session[]
  /** Keys of every mailbox. */
  keys: ApiKey[]
  /** What is in the audit log, the oldest first. */
  audited(): Promise<AuditEntry[]>
  /** Of another account. */
  theirs: string
  open(path: string, visit?: Visit): Promise<Opened>
  /** Follows a path with its query. */
  get(path: string): Promise<Opened>
  post(path: string, form: Record<string, string | string[]>): Promise<Opened>
  /** A form for files. */
  postFiles(path: string, form: Record<string, string | string[]>, files?: readonly FormFile[]): Promise<Opened>
}

export async function makeInbox(t: Test): Promise<InboxWorld> {
  const world = await makeWorld(t, createStore(memoryEngine()))
  const { clock, account, mailboxes, store } = world
  const now = clock.now()
  const session: Session = {
    id: 'ses_1',
    accountId: account.id,
    identity: { provider: 'test', subject: 's', username: null, email: 'eve@example.net', emailVerified: true },
    deviceId: 'd',
    userAgent: 'Test',
    network: '192.0.2.0/24',
    createdAt: now,
    seenAt: now,
    expiresAt: now + DAY,
  }
  const theirs = newId('mbx', now)
  await createMailbox(store, {
    ...{ id: theirs, address: 'theirs@agents.example', agentName: null, claimId: null },
    ...{ status: 'claimed', accountId: 'acc_2', now },
  })
  await store.write(accountPartition(account.id), (tx) => ensureRecord(tx, account.id, account.owner, now))
  const own = [world.id]
  const reads = { lists: 0 }
  const sessions = [session]
  const keys: ApiKey[] = []
  const { threads } = mailboxes.reading
  const deps: InboxDeps = {
    clock,
    accounts: {
      get: async () => account,
      mailboxes: async () => own,
      isStaff: () => false,
      keys: async () => keys,
    },
    connections: { list: async () => [] },
    mailboxes: {
      ...mailboxes,
      reading: {
        ...mailboxes.reading,
        threads: (...asked) => {
          reads.lists++
          return threads(...asked)
        },
      },
    },
    deletion: { start: unused, cancel: unused, pending: async () => undefined },
    reviewing: reviewIn(world).reviewing,
    fetchPictures: async () => new Map(),
    pictureSenders: createPictureSenders({ store, clock }),
    sessions: { list: async () => sessions },
    providers: [],
    limits: { bodyBytes: 2_000_000, recipientsPerMessage: 5, attachmentsPerMessage: 50 },
    eventStreamSeconds: 60,
  }
  const audit = createAudit({
    store,
    clock,
    retentionMs: 400 * DAY,
    log: { info: () => undefined, error: () => undefined },
  })
  const browsers = {
    sessions: { find: async (token: string) => (token === TOKEN ? session : undefined) },
    webKey: WEB_KEY,
    origin: ORIGIN,
    audit,
  }
  const matchers = {
    GET: createMatcher<ReturnType<typeof servePage>>(),
    POST: createMatcher<ReturnType<typeof servePage>>(),
  }
  for (const spec of [...inboxPages(), ...writePages])
    matchers[spec.method].at(spec.path, () => servePage(spec, browsers, deps))

  async function open(path: string, visit: Visit = { session: TOKEN }): Promise<Opened> {
    const found = matchers[visit.form ? 'POST' : 'GET'].match(path)
    if (!found) throw new Error(`no page at ${path}`)
    const answer = await found.value.answer(found.params, visitTo(path, visit)).catch((error: unknown) => {
      if (error instanceof ServiceError) return errorPage(error, 'req_test')
      throw error
    })
    const { status, headers = {}, body } = framed(answer, BRAND)
    return { status, text: Buffer.isBuffer(body) ? body.toString() : String(body), headers, body }
  }

  return {
    ...world,
    async addMailbox(name) {
      const id = await world.addMailbox(name)
      own.push(id)
      return id
    },
    reads,
    deps,
    session,
    sessions,
    keys,
    audited: async () => (await audit.list({ limit: 100 })).data.reverse(),
    theirs,
    open,
    get(path) {
      const { pathname, search } = new URL(path, ORIGIN)
      return open(pathname, { session: TOKEN, query: search.slice(1) })
    },
    post: (path, form) => open(path, { session: TOKEN, form: { mark: MARK, ...form } }),
    postFiles: (path, form, files = []) => open(path, { session: TOKEN, form: { mark: MARK, ...form }, files }),
  }
}

function unused(): never {
  throw new Error('not asked for here')
}

/** Addresses of links on a page, in order. */
export function hrefs({ text }: Opened, pattern: RegExp): string[] {
  return [...text.matchAll(/href="([^"]*)"/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .filter((href) => pattern.test(href))
}

/** The link with these words. */
export function linkTo({ text }: Opened, words: string): string | undefined {
  const found = [...text.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].find(
    ([, , label]) => label?.trim() === words,
  )
  return found?.[1]?.replaceAll('&amp;', '&')
}
