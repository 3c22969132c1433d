import decodeQR from 'qr/decode.js'
import t, { type Test } from 'tap'
import type { Session } from '../../src/accounts/sessions.js'
import type { Connection } from '../../src/oauth/types.js'
import { SCOPES, type ApiKey, type AccountRecord, type Usage } from '../../src/accounts/types.js'
import type { PendingDeletion } from '../../src/lifecycle/deletion/types.js'
import type { ExportRecord } from '../../src/lifecycle/export/types.js'
import { markOf } from '../../src/web/page/form.js'
import { errorPage, framed } from '../../src/web/page/frame.js'
import type { OwnerDeps } from '../../src/web/page/person-frame.js'
import { ownerPages } from '../../src/web/owner/pages.js'
import { servePage } from '../../src/web/page/page.js'
import type { HttpResponse } from '../../src/http/message.js'
import { createMatcher } from '../../src/http/routing/match.js'
import { DAY, ManualClock } from '../../src/lib/clock.js'
import { ServiceError } from '../../src/lib/errors.js'
import { mailboxRecord } from '../support/store/mailbox-record.js'
import { BRAND, ORIGIN, visitTo, type Visit } from './page-visit.js'
import { usageOf } from '../support/usage.js'
import { accountRecord } from '../support/account.js'

const WEB_KEY = Buffer.alloc(32, 7)
const TOKEN = 'a'.repeat(43)
const MARK = markOf(WEB_KEY, TOKEN)
const EVIL = `<script>alert(1)</script>"'&`

interface World {
  open(path: string, visit?: Visit): Promise<{ status: number; text: string; headers: HttpResponse['headers'] }>
  account: AccountRecord
  keys: ApiKey[]
  exports: ExportRecord[]
  calls: string[]
  pending: PendingDeletion | undefined
  connections: Connection[]
}

function makeWorld(): World {
  const clock = new ManualClock()
  const now = clock.now()
  const session: Session = {
    id: 'ses_1',
    accountId: 'acc_1',
    identity: { provider: 'Example', subject: 's', username: null, email: 'eve@example.net', emailVerified: true },
    deviceId: 'd',
    userAgent: EVIL,
    network: '192.0.2.0/24',
    createdAt: now,
    seenAt: now,
    expiresAt: now + DAY,
  }
  const mine = mailboxRecord({ id: 'mbx_MINE', address: 'mine@agents.example', accountId: 'acc_1', agentName: EVIL })
  const theirs = mailboxRecord({ id: 'mbx_THEIRS', address: 'theirs@agents.example', accountId: 'acc_2' })
  const usage: Usage = usageOf({
    plan: 'free',
    trust_level: 0,
    mailboxes: 1,
    storage: { used_bytes: 2048, limit_bytes: 1024 ** 3 },
    new_recipients: { used: 3, limit: 25, left: 22, resets_at: '2026-01-02T00:00:00.000Z' },
    messages: { sent: 1, received: 2, sent_today: 1, received_today: 2 },
    complaints: { last_30_days: 0 },
    requests_per_minute: 600,
    limits: { recipients_per_message: 50, message_bytes: 1, attachments_per_message: 1, long_poll_seconds: 1 },
    next_level: null,
  })
  const world: World = {
    account: accountRecord({ owner: 'eve@example.net', createdAt: now }),
    keys: [
      {
        id: 'key_1',
        mailboxId: mine.id,
        name: EVIL,
        scopes: [...SCOPES],
        createdAt: now,
        lastUsedAt: null,
        expiresAt: null,
        requiresApproval: false,
      },
    ],
    exports: [],
    calls: [],
    pending: undefined,
    connections: [],
    open,
  }
  const called = (name: string, ...what: unknown[]): void => {
    world.calls.push([name, ...what.map((each) => JSON.stringify(each))].join(' '))
  }
  const made = (name: string, scopes: ApiKey['scopes']) => ({
    key: {
      ...{ id: 'key_2', mailboxId: mine.id, name, scopes, createdAt: now, lastUsedAt: null, expiresAt: null },
      requiresApproval: false,
    },
    text: 'rst_THEKEY',
  })
  const settings = {
    ...{ signature: null, autoLabels: [], receiveOnlyAllowed: false, sendOnlyAllowed: false },
    ...{ requiresApproval: false, approvalDays: 7 },
  }
  const unused = (): never => {
    throw new Error('not asked for here')
  }
  const deps: OwnerDeps = {
    clock,
    mailPrograms: {
      imap: { host: 'mail.agents.test', tls: 993 },
      submission: { host: 'mail.agents.test', tls: 465, startTls: 587 },
    },
    accounts: {
      get: async () => world.account,
      usage: async () => usage,
      mailboxes: async () => [mine.id],
      identities: async () => [{ ...session.identity, firstAt: now, lastAt: now }],
      keys: async () => world.keys,
      isStaff: () => false,
      async createKey(id, { name = '', scopes = [] } = {}) {
        called('create', id, name, scopes)
        return made(
          name,
          SCOPES.filter((scope) => scopes.includes(scope)),
        )
      },
      async changeKey(id, keyId, change) {
        called('change', id, keyId, change)
        return made('changed', [...SCOPES]).key
      },
      async rotateKey(id, keyId) {
        called('rotate', id, keyId)
        return made('rotated', [...SCOPES])
      },
      async revokeKey(id, keyId) {
        called('revoke', id, keyId)
      },
    },
    mailboxes: {
      directory: {
        get: async (id) => [mine, theirs].find((each) => each.id === id),
      },
      settings: {
        get: async () => settings,
        async change(id, change) {
          called('set', id, change)
          return { mailbox: mine, settings }
        },
      },
      deciding: {
        waiting: async () => [],
        shown: unused,
        file: unused,
        approve: unused,
        discard: unused,
        sendBack: unused,
      },
      pausing: {
        async pause(id, change) {
          called('pause', id, change)
          return mine
        },
        async resume(id, by) {
          called('resume', id, by)
          return mine
        },
        async withdraw(id) {
          called('withdraw', id)
          return { withdrawn: 2, on_their_way: 1, has_more: true }
        },
      },
      sending: { sendDraft: unused },
      reading: {
        message: unused,
        lastActivity: async () => now,
        activity: unused,
        countHeld: async () => 1,
        held: async () => [
          {
            id: 'msg_1',
            threadId: 'thr_1',
            to: [EVIL],
            subject: EVIL,
            heldAt: now,
            reasons: [{ code: 'urgent_words', detail: EVIL }],
          },
        ],
      },
    },
    providers: [{ id: 'Example', name: 'Example ID' }],
    sessions: {
      list: async () => [session, { ...session, id: 'ses_2' }],
      devices: async () => [{ id: 'd', userAgent: EVIL, firstAt: now, lastAt: now }],
      end: async (id, other) => called('end', id, other),
      endAll: async (id, besides) => called('endAll', id, besides),
    },
    exports: {
      async request(id) {
        called('export', id)
        const record = exportRecord('queued', now)
        world.exports.unshift(record)
        return record
      },
      list: async () => world.exports,
      linkTo: ({ state }) => (state === 'ready' ? 'thelink' : undefined),
    },
    deletion: {
      async start(id, by) {
        called('delete', id, by)
        return { startedAt: now, endsAt: now + 30 * DAY, by }
      },
      cancel: async (id, by) => called('cancel', id, by),
      pending: async () => world.pending,
    },
    connections: {
      list: async () => world.connections,
      revoke: async (id, other) => called('disconnect', id, other),
    },
  }
  const pagesDeps = {
    sessions: { find: async (token: string) => (token === TOKEN ? session : undefined) },
    webKey: WEB_KEY,
    origin: ORIGIN,
  }
  const matchers = {
    GET: createMatcher<ReturnType<typeof servePage>>(),
    POST: createMatcher<ReturnType<typeof servePage>>(),
  }
  for (const spec of ownerPages) matchers[spec.method].at(spec.path, () => servePage(spec, pagesDeps, deps))

  async function open(path: string, visit: Visit = { session: TOKEN }) {
    const found = matchers[visit.form ? 'POST' : 'GET'].match(path)
    if (!found) throw new Error(`no page at ${path}`)
    const answer = await found.value.answer(found.params, visitTo(path, visit)).catch((error: unknown) => {
      if (error instanceof ServiceError) return errorPage(error, 'req_test')
      throw error
    })
    const response = framed(answer, BRAND)
    return { status: response.status, text: String(response.body), headers: response.headers }
  }
  return world
}

function exportRecord(state: ExportRecord['state'], now: number): ExportRecord {
  return {
    id: 'exp_1',
    accountId: 'acc_1',
    state,
    progress: { messages: 3, messagesTotal: 10, bytes: 100 },
    createdAt: now,
    readyAt: null,
    expiresAt: null,
    sizeBytes: 4096,
    problem: state === 'failed' ? EVIL : null,
  }
}

const PAGES = [
  '/account',
  '/account/mailboxes/mbx_MINE',
  '/account/connections',
  '/account/sessions',
  '/account/export',
  '/account/delete',
]
const signed = (form: Record<string, string | string[]> = {}): Visit => ({
  session: TOKEN,
  form: { mark: MARK, ...form },
})

t.test('whoever is not signed in is led to sign in, and back again', async (t) => {
  const { open } = makeWorld()
  for (const path of PAGES) {
    const { status, headers } = await open(path, {})
    t.equal(status, 303)
    t.equal(headers?.['Location'], `/signin?next=${encodeURIComponent(path)}`)
  }
})

t.test('what others wrote stands on the pages as text', async (t) => {
  const world = makeWorld()
  world.exports = [exportRecord('failed', 0), exportRecord('building', 0), exportRecord('ready', 0)]
  for (const path of PAGES) {
    const { status, text, headers } = await world.open(path)
    t.equal(status, 200, path)
    t.notMatch(text, '<script', path)
    t.match(headers?.['Content-Security-Policy'], /default-src 'none'/)
    t.match(text, 'aria-current="page"')
  }
  t.match((await world.open('/account')).text, '&lt;script&gt;')
})

t.test('nobody sees or changes a mailbox of another account', async (t) => {
  const world = makeWorld()
  for (const id of ['mbx_THEIRS', 'mbx_NONE', '__proto__', 'acc_1']) {
    t.equal((await world.open(`/account/mailboxes/${id}`)).status, 404)
    t.equal((await world.open(`/account/mailboxes/${id}/keys`, signed({ name: 'x' }))).status, 404)
    t.equal((await world.open(`/account/mailboxes/${id}/keys/key_1/rotate`, signed())).status, 404)
    t.equal((await world.open(`/account/mailboxes/${id}/keys/key_1/revoke`, signed())).status, 404)
  }
  t.same(world.calls, [])
})

t.test('a form is taken only with the mark of the session, and from our own pages', async (t) => {
  const world = makeWorld()
  const forms = [
    '/account/connections/con_1/revoke',
    '/account/delete',
    '/account/delete/cancel',
    '/account/export',
    '/account/sessions/end-others',
  ]
  for (const path of forms) {
    const form = { mark: MARK, word: 'delete' }
    t.equal((await world.open(path, { session: TOKEN, form: { ...form, mark: 'x' } })).status, 400, path)
    t.equal((await world.open(path, { session: TOKEN, form: { word: 'delete' } })).status, 400, path)
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign)
      t.equal((await world.open(path, { session: TOKEN, form, headers })).status, 400, JSON.stringify(headers))
    t.equal((await world.open(path, { form })).status, 401, 'signed out')
  }
  t.same(world.calls, [])
})

t.test('a new key is shown once, with the rights that were chosen', async (t) => {
  const world = makeWorld()
  const form = { name: ' Night shift ', scope: ['mail:read', 'mail:send', 'root'] }
  const { status, text, headers } = await world.open('/account/mailboxes/mbx_MINE/keys', signed(form))
  t.equal(status, 200)
  t.match(text, 'rst_THEKEY')
  t.match(text, 'read mail; send mail')
  t.equal(headers?.['Cache-Control'], 'no-store')
  t.same(world.calls, ['create "mbx_MINE" "Night shift" ["mail:read","mail:send"]'])
})

t.test('an app password is shown once, with what to enter in a program', async (t) => {
  const world = makeWorld()
  const form = { name: EVIL, scope: ['submission', 'account:manage'] }
  const { status, text, headers } = await world.open('/account/mailboxes/mbx_MINE/app-passwords', signed(form))
  t.equal(status, 200)
  t.match(text, 'rst_THEKEY')
  t.match(text, /mail\.agents\.test,\s+port 465 with SSL\/TLS, or port 587 with STARTTLS/)
  t.match(text, 'send mail from a mail program')
  t.notMatch(text, EVIL)
  t.equal(headers?.['Cache-Control'], 'no-store')
  t.same(world.calls, [`create "mbx_MINE" ${JSON.stringify(EVIL.trim())} ["submission"]`], 'no right of an agent')
})

t.test('an app password comes to a phone by a QR code, and to Apple’s devices by a profile', async (t) => {
  const world = makeWorld()
  const path = '/account/mailboxes/mbx_MINE/app-passwords'
  const { text } = await world.open(path, signed({ name: 'phone', scope: ['imap', 'submission'] }))
  t.same(JSON.parse(scanned(text)), [
    1,
    [1, 1],
    [0, 'mail.agents.test', 993, 3, 1, 'mine@agents.example', '', 'rst_THEKEY'],
    [
      [
        [0, 'mail.agents.test', 465, 3, 1, 'mine@agents.example', 'rst_THEKEY'],
        ['mine@agents.example', 'mine@agents.example'],
      ],
    ],
  ])
  t.notMatch(text, /<script|style=|<style/, 'the policy of the pages allows it')
  const action = /action="(\/account\/mailboxes\/mbx_MINE\/apple-profile)"/.exec(text)?.[1] ?? ''
  const profile = await world.open(action, signed({ password: 'rst_<&KEY' }))
  t.match(profile, { status: 200, headers: { 'Content-Type': 'application/x-apple-aspen-config' } })
  t.equal(profile.headers?.['Cache-Control'], undefined, 'which is stored nowhere, as every answer by default')
  t.match(profile.text, /<key>IncomingPassword<\/key>\s*<string>rst_&lt;&amp;KEY<\/string>/)
  t.equal((await world.open(action, signed({ password: 'a b' }))).status, 400)
  t.equal((await world.open(action.replace('MINE', 'THEIRS'), signed({ password: 'x' }))).status, 404)
  t.not((await world.open(action, { form: { password: 'x' }, session: TOKEN })).status, 200, 'from no other page')

  const onlySends = await world.open(path, signed({ name: 'phone', scope: ['submission'] }))
  t.equal(scanned(onlySends.text), 'rst_THEKEY', 'formats of accounts have both servers')
  t.notMatch(onlySends.text, 'apple-profile')
})

t.test('the page of a mailbox links to a profile without a password', async (t) => {
  const { text } = await makeWorld().open('/account/mailboxes/mbx_MINE', { session: TOKEN })
  t.match(text, `href="/mail/profile.mobileconfig?emailaddress=${encodeURIComponent('mine@agents.example')}"`)
})

/** What a scanner reads from the QR code of a page. */
function scanned(page: string): string {
  const [, side = '', path = ''] = /viewBox="0 0 \d+ (\d+)"[^]*? d="([^"]+)"/.exec(page) ?? []
  const scale = 4
  const width = Number(side) * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let at = Number(x) * scale; at < (Number(x) + Number(length)) * scale; at++)
        data.fill(0, (row * width + at) * 4, (row * width + at) * 4 + 3)
  return decodeQR({ width, height: width, data })
}

t.test('app passwords are listed apart from keys', async (t) => {
  const world = makeWorld()
  const [key] = world.keys
  t.ok(key)
  if (key) world.keys = [{ ...key, id: 'key_9', name: 'Thunderbird', scopes: ['imap', 'submission'] }]
  const { text } = await world.open('/account/mailboxes/mbx_MINE', { session: TOKEN })
  const [, keys = '', programs = ''] =
    /<h2>Keys<\/h2>([^]*)<h2>Mail programs<\/h2>([^]*)<h2>Connections/.exec(text) ?? []
  t.notMatch(keys, 'Thunderbird')
  t.notMatch(keys, 'value="submission"', 'a key of an agent has no such right')
  t.match(programs, 'Thunderbird')
  t.match(programs, '/account/mailboxes/mbx_MINE/keys/key_9/revoke')
  t.match(programs, 'value="submission"')
})

t.test('a key is rotated and revoked', async (t) => {
  const world = makeWorld()
  t.match((await world.open('/account/mailboxes/mbx_MINE/keys/key_1/rotate', signed())).text, 'rst_THEKEY')
  const revoked = await world.open('/account/mailboxes/mbx_MINE/keys/key_1/revoke', signed())
  t.match(revoked, { status: 303, headers: { Location: '/account/mailboxes/mbx_MINE?done=revoked' } })
  t.same(world.calls, ['rotate "mbx_MINE" "key_1"', 'revoke "mbx_MINE" "key_1"'])
  t.match(
    (await world.open('/account/mailboxes/mbx_MINE', { session: TOKEN, query: 'done=revoked' })).text,
    'The key is revoked',
  )
  t.notMatch(
    (await world.open('/account/mailboxes/mbx_MINE', { session: TOKEN, query: 'done=__proto__' })).text,
    'role="status"',
  )
})

t.test('one session is ended, or all others', async (t) => {
  const world = makeWorld()
  await world.open('/account/sessions/ses_2/end', signed())
  await world.open('/account/sessions/end-others', signed())
  t.same(world.calls, ['end "acc_1" "ses_2"', 'endAll "acc_1" "ses_1"'])
})

t.test('an archive is asked for, and downloaded when it is ready', async (t) => {
  const world = makeWorld()
  t.equal((await world.open('/account/export', signed())).status, 303)
  const waiting = await world.open('/account/export')
  t.match(waiting.text, 'Waiting in line')
  t.notMatch(waiting.text, 'Make an archive')
  world.exports = [exportRecord('ready', 0)]
  t.match((await world.open('/account/export')).text, 'href="/export/thelink"')
})

t.test('an account is deleted only by who types the word, and can be kept', async (t: Test) => {
  const world = makeWorld()
  t.equal((await world.open('/account/delete', signed({ word: 'no' }))).status, 400)
  t.same(world.calls, [])
  t.equal((await world.open('/account/delete', signed({ word: ' Delete ' }))).status, 303)
  world.account.status = 'deletion_pending'
  world.pending = { startedAt: 0, endsAt: 30 * DAY, by: { kind: 'session', id: 'ses_1' } }
  for (const path of PAGES) t.match((await world.open(path)).text, 'Keep my account', path)
  t.equal((await world.open('/account/delete/cancel', signed())).status, 303)
  t.same(world.calls, [
    'delete "acc_1" {"kind":"session","id":"ses_1"}',
    'cancel "acc_1" {"kind":"session","id":"ses_1"}',
  ])
})

t.test('the owner of a suspended account reads why', async (t) => {
  const world = makeWorld()
  world.account = { ...world.account, status: 'suspended', suspension: { at: 0, reason: EVIL } }
  const { text } = await world.open('/account')
  t.match(text, 'Your account is suspended')
  t.match(text, '&lt;script&gt;')
})

function connection(change: Partial<Connection> = {}): Connection {
  return {
    id: 'con_1',
    accountId: 'acc_1',
    mailboxId: 'mbx_MINE',
    client: { id: 'https://claude.example/mcp', name: EVIL, host: 'claude.example', kind: 'document' },
    scopes: ['mail:read', 'mail:send'],
    resource: 'https://mail.example/mcp',
    createdAt: 0,
    lastUsedAt: null,
    expiresAt: DAY,
    ...change,
  }
}

t.test('connections are listed by mailbox with what they may do, and ended one by one', async (t) => {
  const world = makeWorld()
  t.match((await world.open('/account/connections')).text, 'None is connected.')
  t.match((await world.open('/account/mailboxes/mbx_MINE')).text, 'No program is connected')
  world.connections = [
    connection(),
    connection({
      id: 'con_2',
      scopes: ['mail:write'],
      lastUsedAt: 0,
      client: { id: 'cli_1', name: 'Desk', host: null, kind: 'registered' },
    }),
    connection({ id: 'con_3', mailboxId: 'mbx_GONE' }),
  ]
  const { text } = await world.open('/account/connections')
  t.match(text, /mine@agents\.example[\s\S]*con_1[\s\S]*con_2[\s\S]*A deleted mailbox[\s\S]*con_3/)
  t.match(text, /May read mail; send mail\.[\s\S]*never used/)
  t.match(text, /of <strong>claude\.example<\/strong>/)
  t.match(text, /Desk[\s\S]*name not verified[\s\S]*change labels and drafts[\s\S]*last used/)
  t.notMatch(text, '<script')
  const ofMailbox = await world.open('/account/mailboxes/mbx_MINE')
  t.match(ofMailbox.text, 'con_2')
  t.notMatch(ofMailbox.text, 'con_3')

  t.equal((await world.open('/account/connections/con_1/revoke', { session: TOKEN, form: { mark: 'x' } })).status, 400)
  t.same(world.calls, [])
  const ended = await world.open('/account/connections/con_1/revoke', signed())
  t.match(ended, { status: 303, headers: { Location: '/account/connections?done=revoked' } })
  t.same(world.calls, ['disconnect "acc_1" "con_1"'])
  t.match((await world.open('/account/connections', { session: TOKEN, query: 'done=revoked' })).text, 'has ended')
})
