/** Approval by the human over HTTP: an agent asks by REST and has no way around, the owner is told by a letter and decides on the pages. */
import t, { type Test } from 'tap'
import type { Letter } from '../../src/accounts/letters.js'
import { tellOfWaiting } from '../../src/jobs/approvals.js'
import { DAY, MINUTE } from '../../src/lib/clock.js'
import { APPROVAL_LETTER_KIND, type ApprovalTask } from '../../src/mailbox/sending/review-tasks.js'
import { ask } from '../http/client.js'
import type { Transaction } from '../../src/store/types.js'
import { tasksIn } from '../support/store/tasks.js'
import { accountWorld, type AccountWorld } from './support/account-world.js'

const LETTER = { to: 'ada@example.org', subject: 'Friday', text: 'Ten?' }

interface Answered {
  id: string
  object: string
  revision: number
  review_url: string
  api_key: string
}

const formIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? ''

/** A browser of the owner of an account. */
async function browser(w: AccountWorld, email = 'ana@example.org') {
  const { id } = await w.accounts.ensure(email)
  const identity = { provider: 'test', subject: email, username: null, email, emailVerified: true }
  const { token } = await w.sessions.open(id, identity, { userAgent: 'Test', network: 'n', device: undefined })
  const Cookie = `__Host-restante_session=${token}`
  const get = (path: string) => ask(w.port, path, { headers: { Cookie } })
  return {
    cookie: Cookie,
    get,
    async post(path: string, fields: Record<string, string>, from = '/account') {
      const mark = /name="mark" value="([^"]+)"/.exec((await get(from)).text)?.[1] ?? ''
      return ask(w.port, path, {
        method: 'POST',
        headers: { Cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...fields, mark }).toString(),
      })
    },
  }
}

async function askingKey(w: AccountWorld, scopes?: string[]) {
  return (await w.accounts.createKey(w.id, { name: 'careful', requiresApproval: true, scopes })).text
}

async function asked(t: Test, w: AccountWorld, key: string, json: object = LETTER): Promise<Answered> {
  const answer = await w.call('POST', '/v1/send', json, key)
  t.match([answer.status, answer.json], [202, { object: 'draft', review: { status: 'waiting' } }])
  return answer.json as Answered
}

t.test('a key in need of approval frees neither itself nor another key', async (t) => {
  const w = await accountWorld(t)
  const key = await askingKey(w)
  const { id, review_url: url } = await asked(t, w, key)
  t.equal(new URL(url).pathname, `/review/${w.id}/${id}`)
  t.match((await w.call('GET', `/v1/drafts/${id}`, undefined, key)).json, {
    review: { status: 'waiting' },
    review_url: url,
  })
  t.match((await w.call('POST', `/v1/drafts/${id}/send`, undefined, key)).json, { id, object: 'draft' })

  const keys = (await w.call('GET', '/v1/keys', undefined, key)).json as { data: { id: string; is_current: boolean }[] }
  const own = keys.data.find((each) => each.is_current)?.id ?? ''
  const other = keys.data.find((each) => !each.is_current)?.id ?? ''
  for (const [method, path, json] of [
    ['PATCH', `/v1/keys/${own}`, { requires_approval: false }],
    ['PATCH', `/v1/keys/${other}`, { requires_approval: false }],
    ['POST', `/v1/keys/${other}/rotate`, undefined],
    ['POST', '/v1/keys', { name: 'free', requires_approval: false }],
  ] as const) {
    const refused = await w.call(method, path, json, key)
    t.match([refused.status, refused.json], [403, { error: { code: 'insufficient_scope' } }], `${method} ${path}`)
  }
  const made = (await w.call('POST', '/v1/keys', { name: 'next' }, key)).json as Answered
  await asked(t, w, made.api_key)
  const rotated = (await w.call('POST', `/v1/keys/${own}/rotate`, undefined, key)).json as Answered
  await asked(t, w, rotated.api_key)
  const mailbox = (await w.call('POST', '/v1/mailboxes', { name: 'second-box' }, rotated.api_key)).json as Answered
  await asked(t, w, mailbox.api_key)
  t.equal((await w.mailboxes.directory.get(w.id))?.sentCount, 0)
})

t.test('a mailbox asks for all of its keys, and only the human ends that', async (t) => {
  const w = await accountWorld(t)
  const writer = (await w.accounts.createKey(w.id, { scopes: ['mail:read', 'mail:send', 'mail:write'] })).text
  t.match(await w.call('PATCH', '/v1/mailbox', { requires_approval: false }, writer), { status: 200 })
  t.match(await w.call('PATCH', '/v1/mailbox', { requires_approval: true }, writer), { status: 200 })
  t.match((await w.call('POST', '/v1/send?dry_run=1', LETTER, writer)).json, { requires_approval: true })
  await asked(t, w, writer)
  t.match(await w.call('PATCH', '/v1/mailbox', { approval_days: 1 }, writer), { status: 403 })
  for (const key of [writer, w.key]) {
    const refused = await w.call('PATCH', '/v1/mailbox', { requires_approval: false }, key)
    t.match([refused.status, refused.json], [403, { error: { code: 'insufficient_scope' } }])
  }
  const other = (await w.call('POST', '/v1/mailboxes', { name: 'second-box' })).json as Answered
  await asked(t, w, other.api_key)
  const owner = await browser(w)
  await owner.post(`/account/mailboxes/${w.id}/approval`, { approval_days: '3' })
  t.match((await w.call('GET', '/v1/mailbox')).json, { requires_approval: false, approval_days: 3 })
  t.match((await w.call('POST', '/v1/send', LETTER, writer)).json, { object: 'message' })
  await asked(t, w, writer, { ...LETTER, requires_approval: true })
})

t.test('a message of a mail program has a link to the whole of it, and goes so if nothing is changed', async (t) => {
  const w = await accountWorld(t)
  const lines = [
    'From: <agent@agents.example>',
    'To: ada@example.org',
    'Subject: Friday',
    'X-Mailer: mutt',
    '',
    'Ten?',
    '',
  ]
  const { address = '' } = (await w.mailboxes.directory.get(w.id)) ?? {}
  const raw = lines.join('\r\n').replace('agent@agents.example', address)
  const submission = { raw: Buffer.from(raw), recipients: ['ada@example.org'], received: () => 'Received: by here' }
  const by = { type: 'key' as const, id: 'key_1', requiresApproval: true }
  const { id } = await w.mailboxes.sending.submit(w.id, submission, { by })
  const owner = await browser(w)
  const path = `/review/${w.id}/${id}`
  const { text } = await owner.get(path)
  const [, file = ''] = /<a\s+href="([^"]+)"\s*>the whole message<\/a/.exec(text) ?? []
  const whole = await owner.get(file)
  t.match(whole.headers['content-disposition'], /^attachment; filename="?message.eml/)
  t.match(whole.text, /^Received: by here\r\n[^]*X-Mailer: mutt\r\n/)
  const unchanged = { form: formIn(text), subject: 'Friday', text: 'Ten?\r\n' }
  t.equal((await owner.post(`${path}/send`, unchanged)).headers.location, '/review?done=sent')
  const [sent] = (await w.mailboxes.reading.messages(w.id, { limit: 1, label: 'sent' } as never)).data
  t.equal((await w.mailboxes.reading.raw(w.id, sent?.id ?? '')).toString(), whole.text)
})

t.test('the owner reads, changes and sends a draft on its page; nobody else finds it', async (t) => {
  const w = await accountWorld(t)
  const key = await askingKey(w, ['mail:read', 'mail:send', 'mail:write'])
  const draft = await asked(t, w, key, { ...LETTER, subject: '<b>Friday</b>', text: 'Ten?</textarea><script>' })
  const path = new URL(draft.review_url).pathname
  const owner = await browser(w)
  const page = await owner.get(path)
  t.equal(page.status, 200)
  for (const part of [
    '&lt;b&gt;Friday',
    'Ten?&lt;/textarea&gt;&lt;script&gt;',
    'ada@example.org',
    'careful',
    'Drafts to decide (1)',
  ])
    t.ok(page.text.includes(part), part)
  t.notMatch(page.text, /<script/)
  t.match((await owner.get('/review')).text, path)
  const signedOut = await ask(w.port, path, {})
  t.match([signedOut.status, signedOut.headers.location], [303, `/signin?next=${encodeURIComponent(path)}`])
  await w.accounts.ensure('eve@example.org')
  const eve = await browser(w, 'eve@example.org')
  t.equal((await eve.get(path)).status, 404)
  for (const what of ['send', 'discard', 'return'])
    t.equal((await eve.post(`${path}/${what}`, { revision: '1', note: 'x' })).status, 404)
  const byKey = await ask(w.port, `${path}/send`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${w.key}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `revision=${draft.revision}`,
  })
  t.equal(byKey.status, 401, 'no key decides')
  const foreign = await ask(w.port, `${path}/send`, {
    method: 'POST',
    headers: { Cookie: owner.cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `revision=${draft.revision}`,
  })
  t.equal(foreign.status, 400, 'nor a form without the mark of the session')

  const stale = {
    form: formIn(page.text),
    revision: String(draft.revision),
    subject: 'Friday',
    text: 'Ten?',
    note: 'No.',
  }
  t.match(await w.call('PATCH', `/v1/drafts/${draft.id}`, { text: 'Eleven?' }, key), { status: 200 })
  for (const what of ['send', 'discard', 'return']) {
    const changed = await owner.post(`${path}/${what}`, stale)
    t.equal(changed.headers.location, `${path}?done=changed`, what)
  }
  t.match((await owner.get(`${path}?done=changed`)).text, 'The draft has changed since you opened it')
  const fields = { form: formIn((await owner.get(path)).text), subject: 'Friday', text: 'Shall we\r\nsay noon?' }
  t.equal((await owner.post(`${path}/send`, fields)).headers.location, '/review?done=sent')
  const events = (await w.call('GET', '/v1/events?after=0', undefined, key)).json as {
    data: { type: string; data: { message_id: string } }[]
  }
  const { data } = events.data.find(({ type }) => type === 'draft.approved') ?? { data: { message_id: '' } }
  const message = await w.call('GET', `/v1/messages/${data.message_id}`, undefined, key)
  t.match(message.json, { subject: 'Friday', composed_by: 'human', text: /^Shall we\nsay noon\?/ })
  t.equal((await owner.get(path)).status, 404, 'it is decided once')
  for (const what of ['send', 'discard', 'return'])
    t.equal((await owner.post(`${path}/${what}`, fields)).headers.location, '/review?done=gone', `${what} again`)
})

t.test('the owner returns a draft with a note, discards one, and sets who asks', async (t) => {
  const w = await accountWorld(t)
  const owner = await browser(w)
  const key = await askingKey(w)
  const draft = await asked(t, w, key)
  const path = new URL(draft.review_url).pathname
  const seen = { revision: String(draft.revision), note: 'Say when.' }
  for (const _twice of [1, 2])
    t.equal((await owner.post(`${path}/return`, seen)).headers.location, '/review?done=returned')
  t.match((await w.call('GET', `/v1/drafts/${draft.id}`)).json, { review: { status: 'returned', note: 'Say when.' } })
  t.match((await owner.get(path)).text, /Say when\./)
  const revision = String(draft.revision + 1)
  t.equal((await owner.post(`${path}/discard`, { revision })).headers.location, '/review?done=discarded')
  t.equal((await w.call('GET', `/v1/drafts/${draft.id}`)).status, 404)
  const box = `/account/mailboxes/${w.id}`
  await owner.post(`${box}/approval`, { requires_approval: 'yes', approval_days: '2' })
  t.match(await w.mailboxes.settings.get(w.id), { requiresApproval: true, approvalDays: 2 })
  await asked(t, w, w.key)
  const [first] = await w.accounts.keys(w.id)
  await owner.post(`${box}/approval`, { approval_days: '2' })
  await owner.post(`${box}/keys/${first?.id}/approval`, { requires_approval: 'yes' })
  await asked(t, w, w.key)
})

t.test('the page shows all that is sent: links of the HTML, files, signature', async (t) => {
  const w = await accountWorld(t)
  const owner = await browser(w)
  const key = await askingKey(w)
  await w.mailboxes.settings.change(w.id, { signature: { text: 'Agent of Ana' } })
  const html = '<p>See <a href="https://elsewhere.example/x">your bank</a></p><script>alert(1)</script>'
  const content = Buffer.from('<script>alert(1)</script>').toString('base64')
  const file = { filename: 'a"b.html', content_type: 'text/html', content }
  const draft = await asked(t, w, key, { ...LETTER, html, attachments: [file] })
  const path = new URL(draft.review_url).pathname
  const page = await owner.get(path)
  t.match(page.text, 'https://elsewhere.example/x')
  t.match(page.text, '&lt;script&gt;alert(1)', 'the HTML as it is written')
  t.match(page.text, 'Agent of Ana')
  t.notMatch(page.text, /<script/)
  t.ok(
    page.text.indexOf('elsewhere.example') < page.text.indexOf('>Send<'),
    'the buttons come after what they decide on',
  )
  const [, link = ''] = /href="([^"]+\/files\/[^"]+)"/.exec(page.text) ?? []
  const got = await owner.get(link)
  t.match([got.status, got.text], [200, '<script>alert(1)</script>'])
  t.match(got.headers, {
    'content-disposition': /^attachment; filename="[^"]+"/,
    'content-security-policy': /sandbox/,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  await w.accounts.ensure('eve@example.org')
  t.equal((await (await browser(w, 'eve@example.org')).get(link)).status, 404)
  t.equal((await owner.get(link.replace(/[^/]+$/, 'att_none'))).status, 404)
})

t.test('a draft that the checks refuse is shown again, with the words of the human', async (t) => {
  const w = await accountWorld(t, { newRecipientsPerDay: 1 })
  const owner = await browser(w)
  const draft = await asked(t, w, await askingKey(w))
  const path = new URL(draft.review_url).pathname
  const form = formIn((await owner.get(path)).text)
  t.match(await w.call('POST', '/v1/send', { ...LETTER, to: 'bob@example.org' }), { status: 202 })
  const refused = await owner.post(`${path}/send`, { form, subject: 'Friday', text: 'Noon?' })
  t.equal(refused.status, 429)
  t.match(refused.text, 'It was not sent.')
  t.match(refused.text, 'Noon?')
  w.clock.advance(DAY)
  const sent = await owner.post(`${path}/send`, { form: formIn(refused.text), subject: 'Friday', text: 'Noon?' })
  t.equal(sent.headers.location, '/review?done=sent')
})

t.test('the owner gets a letter at once, then one for all drafts of 15 minutes', async (t) => {
  const w = await accountWorld(t)
  const letters: Letter[] = []
  const known = new Set<string>()
  const compose = async (id: string, letter: Letter) => (tx: Transaction) =>
    tx.afterCommit(() => {
      if (!known.has(id)) letters.push(letter)
      known.add(id)
    })
  const deps = { ...w, letters: { compose }, baseUrl: 'https://mail.example.com' }
  const work = async () => {
    for (const task of await tasksIn<ApprovalTask>(w.queue, APPROVAL_LETTER_KIND)) {
      const outcome = await tellOfWaiting(deps, task)
      if (outcome.done) await w.queue.remove(APPROVAL_LETTER_KIND, task.id)
    }
  }
  const key = await askingKey(w)
  const { id } = await asked(t, w, key)
  await work()
  t.match(letters, [{ to: 'ana@example.org', subject: 'mail.example.com: a draft waits for you' }])
  const said = JSON.stringify(letters[0]?.parts)
  t.match(said, `https://mail.example.com/review/${w.id}/${id}`)
  t.match(said, 'Friday')
  t.notMatch(said, /Ten\?/, 'not what it says')
  await asked(t, w, key)
  await asked(t, w, key)
  await work()
  t.equal(letters.length, 1)
  w.clock.advance(15 * MINUTE)
  await work()
  await work()
  t.equal(letters.length, 2)
  t.match(letters[1], { subject: 'mail.example.com: 2 drafts wait for you' })
  t.same(await tasksIn(w.queue, APPROVAL_LETTER_KIND), [])
})
