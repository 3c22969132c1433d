/** The staff's pages without a daemon: who finds them, and that a message which was made to deceive is shown as what it is. */
import t from 'tap'
import type { Session } from '../../src/accounts/sessions.js'
import type { HttpResponse } from '../../src/http/message.js'
import { createMatcher } from '../../src/http/routing/match.js'
import { markOf } from '../../src/web/page/form.js'
import { errorPage, framed } from '../../src/web/page/frame.js'
import { servePage } from '../../src/web/page/page.js'
import type { StaffDeps } from '../../src/web/staff/frame.js'
import { staffPages } from '../../src/web/staff/pages.js'
import { pathOf, roundUp } from '../../src/web/page/chart.js'
import { DAY, ManualClock, MINUTE, timestamp } from '../../src/lib/clock.js'
import { ServiceError } from '../../src/lib/errors.js'
import type { ReviewDetails, ReviewItem, ReviewOutcome } from '../../src/mailbox/review/objects.js'
import { minuteSchema, noneOf } from '../../src/observe/day/minute.js'
import { forEach, LATENCY_NAMES } from '../../src/observe/day/series.js'
import { dayView, type DayView } from '../../src/observe/day/view.js'
import { BRAND, ORIGIN, visitTo, type Visit } from './page-visit.js'

const WEB_KEY = Buffer.alloc(32, 7)
const TOKEN = 'a'.repeat(43)
const MARK = markOf(WEB_KEY, TOKEN)
const EVIL = `<script>alert(1)</script>"'&\u202Egpj.exe\u202C`
const ID = 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R2'
/** What browsers accept. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const OTHER = 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R9'

function makeWorld({ email = 'amy@example.org', isVerified = true }: { email?: string; isVerified?: boolean } = {}) {
  const clock = new ManualClock()
  const at = timestamp(clock.now())
  const session: Session = {
    id: 'ses_1',
    accountId: 'acc_1',
    identity: { provider: 'Example', subject: 's', username: null, email, emailVerified: isVerified },
    deviceId: 'd',
    userAgent: 'x',
    network: '192.0.2.0/24',
    createdAt: clock.now(),
    seenAt: clock.now(),
    expiresAt: clock.now() + DAY,
  }
  const sender = { mailbox_id: 'mbx_1', address: 'ada@agents.example', account_id: 'acc_2', owner: null }
  const item: ReviewItem = {
    id: ID,
    status: 'held',
    at,
    sender,
    to: [EVIL],
    recipient_count: 2,
    subject: EVIL,
    category: 'phishing',
    reasons: [{ code: 'urgency', detail: EVIL }],
    appeal: EVIL,
  }
  const details: ReviewDetails = {
    ...item,
    guard_decision: 'hold',
    scores: { phishing: 0.71 },
    reasons: [
      { code: 'urgency', detail: EVIL, excerpts: ['act now'] },
      { code: 'without_owner', detail: EVIL, class: 'orders', excerpts: [] },
      { code: 'later', detail: EVIL, class: EVIL, excerpts: [] },
    ],
    from: { address: 'ada@agents.example', name: EVIL },
    reply_to: [{ address: 'elsewhere@evil.example', name: '' }],
    recipients: [{ address: EVIL, status: 'queued', is_blind_copy: true }],
    text: `You must A\u200Bct  NOW.\n${EVIL}\n<img src=https://evil.example/x.png>`,
    html_text: EVIL,
    is_cut: true,
    links: [{ text: EVIL, target: `javascript:${EVIL}` }],
    attachments: [{ filename: EVIL, content_type: EVIL, size_bytes: 10, risk: [EVIL] }],
    sender: { ...sender, status: 'active', trust_level: 0, sent: 3, sent_today: 1, received: 2, since: at },
    decided: null,
    obstacle: null,
  }
  const calls: string[] = []
  const world = {
    details,
    items: [item],
    calls,
    open,
    day: undefined as DayView | undefined,
    outcome: {} as Partial<ReviewOutcome>,
    refusal: undefined as ServiceError | undefined,
  }
  const decide =
    (name: ReviewOutcome['decision']) =>
    async (id: string, given: object): Promise<ReviewOutcome> => {
      calls.push(`${name} ${id} ${JSON.stringify(given)}`)
      if (world.refusal) throw world.refusal
      const done = { message_id: id, status: 'queued' as const, is_first: true, decision: name, by: email, at }
      return { ...done, left_out: [], held_by: null, account_suspended: name === 'suspend', ...world.outcome }
    }
  const counts = { held: 1, blocked: 0 }
  const deps: StaffDeps = {
    clock,
    day: async () => world.day ?? dayView([], clock.now(), '10m'),
    accounts: { isStaff: (identity) => identity.emailVerified && identity.email === 'amy@example.org' },
    reviewing: {
      list: async () => ({ data: world.items, has_more: true, next_cursor: 'abc', counts }),
      async read(id) {
        if (id !== ID) throw new ServiceError('not_found', 'No such message.', 'Look at the list.')
        return world.details
      },
      log: async () => ({ data: [], has_more: false, next_cursor: null }),
      counts: async () => counts,
      approve: decide('approve'),
      reject: decide('reject'),
      suspend: decide('suspend'),
    },
  }
  const pages = {
    sessions: { find: async (token: string) => (token === TOKEN ? session : undefined) },
    webKey: WEB_KEY,
    origin: ORIGIN,
  }
  const matcher = createMatcher<Map<string, ReturnType<typeof servePage>>>()
  for (const spec of staffPages) matcher.at(spec.path, () => new Map()).set(spec.method, servePage(spec, pages, deps))

  async function open(
    path: string,
    visit: Visit = { session: TOKEN },
  ): Promise<{ status: number; text: string; headers: HttpResponse['headers'] }> {
    const request = visitTo(path, visit)
    const found = matcher.match(path)
    const page = found?.value.get(request.method)
    if (!found || !page) throw new Error(`no page at ${path}`)
    const answer = await page.answer(found.params, request).catch((error: unknown) => {
      if (error instanceof ServiceError) return errorPage(error, 'req_test')
      throw error
    })
    const response = framed(answer, BRAND)
    return { status: response.status, text: String(response.body), headers: response.headers }
  }
  return world
}

const submit = (fields: Record<string, string> = {}, mark = MARK): Visit => ({
  session: TOKEN,
  form: { mark, ...fields },
})

void t.test('to all but the staff there is nothing, and it reads as any path that does not exist', async (t) => {
  const strangers = [makeWorld({ email: 'eve@example.net' }), makeWorld({ isVerified: false })]
  for (const path of ['/staff/review', `/staff/review/${ID}`, '/staff/review/log']) {
    for (const world of strangers) {
      const refused = await world.open(path)
      t.equal(refused.status, 404)
      t.match(JSON.parse(refused.text), { error: { code: 'not_found', message: 'There is nothing at this path.' } })
    }
    for (const world of strangers) {
      const shown = await world.open(path, { session: TOKEN, headers: BROWSER })
      t.equal(shown.status, 404)
      t.match(shown.text, 'There is no page at this address')
    }
    const out = await makeWorld().open(path, { query: 'status=blocked' })
    t.match(
      [out.status, out.headers?.['Location']],
      [303, `/signin?next=${encodeURIComponent(`${path}?status=blocked`)}`],
    )
  }
  for (const name of ['approve', 'reject', 'suspend']) {
    for (const world of strangers) {
      t.equal((await world.open(`/staff/review/${ID}/${name}`, submit())).status, 404)
      t.same(world.calls, [])
    }
    const out = makeWorld()
    const headers = { referer: `${ORIGIN}/staff/review/${ID}` }
    const refused = await out.open(`/staff/review/${ID}/${name}`, { form: { mark: MARK }, headers })
    t.equal(refused.status, 401, 'signed out')
    t.match(refused.text, `href="/signin?next=${encodeURIComponent(`/staff/review/${ID}`)}"`)
    t.same(out.calls, [])
    const foreign = { form: { mark: MARK }, headers: { referer: 'https://evil.example/x' } }
    t.match((await out.open(`/staff/review/${ID}/${name}`, foreign)).text, 'href="/signin"')
  }
})

void t.test('nothing of a message is markup, a link, or loaded, and nothing turns its direction', async (t) => {
  const world = makeWorld()
  for (const path of ['/staff/review', `/staff/review/${ID}`]) {
    const { status, text, headers } = await world.open(path)
    t.equal(status, 200)
    t.match(
      headers?.['Content-Security-Policy'],
      /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'/,
    )
    t.notMatch(text.replace(/<img src="\/pages\/icon-[0-9a-f]+\.svg"/, ''), /<script|<img|\u202e|\u202c|\u200b/)
    t.match(text, /<title>[\w ]+ · Agents Mail<\/title>/, 'titles are kept in the history of a browser')
    t.notMatch(text, /href="(?!\/|https:\/\/mail\.example)/)
    t.match(text, '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\ufffdgpj.exe\ufffd')
  }
})

void t.test('what gave a message away is marked, also where it was written to be missed', async (t) => {
  const { text } = await makeWorld().open(`/staff/review/${ID}`)
  t.match(text, /You must <mark>A\ufffdct {2}NOW\.<\/mark>/)
  t.equal(text.match(/<mark>/g)?.length, 1)
})

void t.test('an answer takes the mark of the session', async (t) => {
  const world = makeWorld()
  for (const name of ['approve', 'reject', 'suspend'])
    t.equal((await world.open(`/staff/review/${ID}/${name}`, submit({}, 'wrong'))).status, 400)
  const foreign = { ...submit(), headers: { origin: 'https://evil.example' } }
  t.equal((await world.open(`/staff/review/${ID}/approve`, foreign)).status, 400)
  t.same(world.calls, [])
})

void t.test('an answer is given by who is signed in, and leads on', async (t) => {
  const world = makeWorld()
  t.match(await world.open(`/staff/review/${ID}/approve`, submit({ list: 'held', by: 'eve' })), {
    status: 303,
    headers: { Location: '/staff/review?done=approve' },
  })
  world.items = [...world.items, ...world.items.map((item) => ({ ...item, id: OTHER }))]
  t.match(await world.open(`/staff/review/${ID}/reject`, submit({ note: 'No' })), {
    status: 303,
    headers: { Location: `/staff/review/${OTHER}?done=reject` },
  })
  await world.open(`/staff/review/${ID}/suspend`, submit({ reason: 'Phishing' }))
  t.same(world.calls, [
    `approve ${ID} {"by":"amy@example.org"}`,
    `reject ${ID} {"by":"amy@example.org","note":"No"}`,
    `suspend ${ID} {"by":"amy@example.org","reason":"Phishing"}`,
  ])
  t.match((await world.open('/staff/review', { session: TOKEN, query: 'done=approve' })).text, /role="status">Approved/)
})

void t.test('an answer that did not count says why, and an approval with a catch says which', async (t) => {
  const world = makeWorld()
  world.outcome = { is_first: false, decision: 'reject', by: 'bob@example.org' }
  t.match(await world.open(`/staff/review/${ID}/approve`, submit()), {
    status: 409,
    text: /role="alert">Already decided: bob@example\.org rejected it\./,
  })
  world.outcome = { is_first: false }
  t.equal((await world.open(`/staff/review/${ID}/approve`, submit())).status, 303, 'sent twice by the same person')
  world.outcome = { held_by: 'domain example.net' }
  t.match((await world.open(`/staff/review/${ID}/approve`, submit())).headers?.['Location'], /done=approve-held/)
  world.outcome = { left_out: [{ address: 'a@example.net', why: '' }] }
  t.match((await world.open(`/staff/review/${ID}/approve`, submit())).headers?.['Location'], /done=approve-left-out/)
  world.refusal = new ServiceError('account_suspended', 'It is suspended.', 'Reinstate it first.')
  t.match(await world.open(`/staff/review/${ID}/approve`, submit()), {
    status: 403,
    text: /role="alert">It is suspended\. Reinstate it first\./,
  })
  t.equal((await world.open(`/staff/review/${OTHER}`)).status, 404)
})

void t.test('a message that is decided shows who decided, and has no buttons', async (t) => {
  const world = makeWorld()
  const { at, id, reasons } = world.details
  const decided = {
    id: 'rev_1',
    at,
    decision: 'reject' as const,
    by: 'bob@example.org',
    message_id: id,
    mailbox_id: 'm',
  }
  const codes = reasons.map(({ code }) => code)
  world.details = {
    ...world.details,
    status: 'blocked',
    decided: { ...decided, account_id: null, note: EVIL, category: 'spam', guard_decision: 'hold', codes },
  }
  const { text } = await world.open(`/staff/review/${ID}`)
  t.match(text, 'bob@example.org rejected it')
  t.match(text, /<code>without_owner<\/code>[^]{0,200}\(orders to machines\)/, 'reasons name the class of abuse')
  t.notMatch(text, /<script|Approve: send it/)
})

void t.test('without review there are no such pages', async (t) => {
  const deps: StaffDeps = { clock: new ManualClock(), accounts: { isStaff: () => true } }
  for (const spec of staffPages) {
    const pages = { sessions: { find: async () => undefined }, webKey: WEB_KEY, origin: ORIGIN }
    const visit = spec.method === 'POST' ? submit() : { session: TOKEN }
    const answer = await servePage(spec, pages, deps).answer({ id: ID }, visitTo(spec.path, visit))
    t.equal(framed(answer, BRAND).status, 404)
  }
})

const someDay = () => {
  const at = Date.UTC(2026, 0, 1, 12)
  const minute = (ago: number, change: object) => ({
    ...minuteSchema.parse({ at: at - ago * MINUTE, counts: change, levels: { queue_waiting: 3 }, latency: {} }),
    latency: forEach(LATENCY_NAMES, (name) => noneOf(name).map((_none, i) => (i === 4 ? 2 : 0))),
  })
  return dayView(
    [minute(700, { mail_accepted: 40, delivered: 9 }), minute(5, { mail_accepted: 2, bounced: 1 })],
    at,
    '10m',
  )
}

t.test('the day is drawn without a script, in words too, and for the staff alone', async (t) => {
  const world = makeWorld()
  world.day = someDay()
  const { text, status } = await world.open('/staff/day', { session: TOKEN })
  t.equal(status, 200)
  t.match(text, /accepted \(42\)/)
  t.match(text, /accepted: 42 all day, most \(40\) in the ten minutes from 00:20; refused: 0 all day/)
  t.match(text, 'all times in UTC')
  t.match(text, /<th scope="row">2026-01-01 00:00<\/th>\s*<td>40<\/td>/)
  t.match(text, 'Nothing was held or blocked today')
  t.notMatch(text, /<script|style=|NaN|undefined|Infinity/)
  const path = /class="line line1" d="(M[^"]*H[^"]*)"\s*\/>\s*<path class="line line2"/.exec(text)?.[1] ?? ''
  t.match(path, /^M\d+ 0H\d+M\d+ 95H\d+$/, 'a gap where nothing ran')
  t.equal((await world.open('/staff/day', {})).status, 303, 'signed out')
  t.equal((await makeWorld({ email: 'eve@example.org' }).open('/staff/day', { session: TOKEN })).status, 404)
})

t.test('a day of which nothing is known yet says so', async (t) => {
  const world = makeWorld()
  world.day = dayView([], 0, '10m')
  t.match((await world.open('/staff/day', { session: TOKEN })).text, 'Nothing is recorded yet')
})

t.test('the axis of a chart ends at a number that reads well', async (t) => {
  t.same([0.012, 1, 3, 7, 42, 101, 4999].map(roundUp), [0.02, 1, 4, 8, 60, 200, 6000])
  t.equal(pathOf([1, null, 2, 2], 2), 'M0 50H10M20 0H30V0H40')
})
