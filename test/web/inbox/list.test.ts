/** The list of the inbox: whose mail, in which order, page by page, and what strangers wrote as text. */
import t from 'tap'
import { EVIL, hrefs, linkTo, makeInbox, TOKEN, type InboxWorld, type Opened } from './world.js'

const CONVERSATION = /^\/inbox\/mbx_\w+\/thr_\w+$/

/** All pages from a path on. @returns links to their conversations, by page */
async function pagesFrom(world: InboxWorld, path: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let next: string | undefined = path; next !== undefined && pages.length < 50;) {
    const page: Opened = await world.get(next)
    pages.push(hrefs(page, CONVERSATION))
    next = linkTo(page, 'Older')
  }
  return pages
}

t.test('an empty inbox says what comes here, each view for itself', async (t) => {
  const world = await makeInbox(t)
  for (const view of ['inbox', 'unread', 'all', 'held', 'blocked', 'sent', 'drafts', 'spam', 'trash']) {
    const { status, text } = await world.get(`/inbox?view=${view}`)
    t.equal(status, 200, view)
    t.match(text, 'class="empty"', view)
    t.match(text, 'aria-current="page"')
  }
})

t.test('without a session the way leads to the sign-in and back', async (t) => {
  const world = await makeInbox(t)
  const { status, headers } = await world.open('/inbox', { query: 'view=spam' })
  t.equal(status, 303)
  t.equal(headers['Location'], '/signin?next=%2Finbox%3Fview%3Dspam')
})

t.test('what strangers wrote is text, in its own direction, and in no title or address', async (t) => {
  const world = await makeInbox(t)
  await world.deliver({ from: `"${EVIL.replaceAll('"', '')}" <x@example.org>`, subject: EVIL, text: EVIL })
  await world.deliver({ subject: 'مرحبا \u202egnp.exe', text: 'שלום' })
  await world.deliver({ subject: 'W'.repeat(900), text: 'w'.repeat(5000) })
  await world.deliver({ from: '', subject: '', text: '' })
  const { text, headers } = await world.get('/inbox')
  t.equal(text.match(/<script/g)?.length, 1, 'our own script alone')
  t.notMatch(text, '<img src=x')
  t.match(text, '&lt;script&gt;alert(1)&lt;/script&gt;')
  t.notMatch(text, '\u202e', 'nothing turns the text around')
  t.match(text, '(no subject)')
  t.match(text, 'dir="auto"')
  t.match(text, '<title>Inbox · Agents Mail</title>')
  for (const href of hrefs({ text } as Opened, /./)) t.notMatch(href, /script|W{5}/)
  t.match(headers['Content-Security-Policy'], /script-src 'self'.*require-trusted-types-for 'script'/)
  t.notMatch(headers['Content-Security-Policy'], 'unsafe')
})

t.test('three mailboxes are one list by time, whose pages have each conversation once', async (t) => {
  const world = await makeInbox(t)
  const ids = [world.id, await world.addMailbox('second'), await world.addMailbox('third')]
  const expected: string[] = []
  for (let i = 0; i < 173; i++) {
    world.clock.advance(60_000)
    // The third has a few, so that its list ends early; the first has most of the newest.
    const mailboxId = ids[i % 40 === 0 ? 2 : i % 3 === 0 || i > 120 ? 0 : 1] ?? ''
    const { thread_id: threadId } = await world.deliver({ mailboxId, subject: `No. ${i}` })
    expected.unshift(`/inbox/${mailboxId}/${threadId}`)
  }
  const pages = await pagesFrom(world, '/inbox')
  t.same(
    pages.map(({ length }) => length),
    [50, 50, 50, 23],
  )
  t.same(pages.flat(), expected, 'in order, none twice, none missing')

  const first = await world.get('/inbox')
  const second = await world.get(linkTo(first, 'Older') ?? '')
  const third = await world.get(linkTo(second, 'Older') ?? '')
  t.equal(linkTo(first, 'Newest'), undefined)
  t.equal(linkTo(second, 'Newest'), undefined, 'there “Newer” leads to the first page')
  t.same(hrefs(await world.get(linkTo(second, 'Newer') ?? ''), CONVERSATION), pages[0])
  t.same(hrefs(await world.get(linkTo(third, 'Newer') ?? ''), CONVERSATION), pages[1])
  t.same(hrefs(await world.get(linkTo(third, 'Newest') ?? ''), CONVERSATION), pages[0])
  t.ok((linkTo(second, 'Older') ?? '').length < 1500, 'the head of a request stays short')
})

t.test('what comes or moves while one turns the pages neither repeats nor hides anything', async (t) => {
  const world = await makeInbox(t)
  const ids = [world.id, await world.addMailbox('second'), await world.addMailbox('third')]
  const all = new Set<string>()
  const roots: { mailboxId: string; messageId: string | null; href: string }[] = []
  for (let i = 0; i < 140; i++) {
    world.clock.advance(60_000)
    const mailboxId = ids[i % 3] ?? ''
    const message = await world.deliver({ mailboxId, headers: [`Message-ID: <m${i}@example.org>`] })
    const href = `/inbox/${mailboxId}/${message.thread_id}`
    all.add(href)
    roots.push({ mailboxId, messageId: message.message_id, href })
  }
  const first = await world.get('/inbox')
  const seen = hrefs(first, CONVERSATION)
  // An answer takes an old conversation of each mailbox to the top, and new mail comes too.
  for (const { mailboxId, messageId } of roots.slice(0, 3)) {
    await world.deliver({ mailboxId, headers: [`In-Reply-To: <${messageId}>`, `References: <${messageId}>`] })
    await world.deliver({ mailboxId, subject: 'News' })
  }
  seen.push(...(await pagesFrom(world, linkTo(first, 'Older') ?? '')).flat())
  t.equal(seen.length, new Set(seen).size, 'none twice')
  t.same(
    [...all].filter((href) => !seen.includes(href)),
    [],
    'none missing',
  )
})

t.test('a page of many mailboxes costs a few reads, however much mail there is', async (t) => {
  const world = await makeInbox(t)
  const ids = [world.id]
  for (let i = 1; i < 16; i++) ids.push(await world.addMailbox(`box${i}`))
  for (let i = 0; i < 160; i++) {
    world.clock.advance(1000)
    await world.deliver({ mailboxId: ids[i % 7] ?? '' })
  }
  world.reads.lists = 0
  const first = await world.get('/inbox')
  t.ok(world.reads.lists <= 2 * 16 + 8, `${world.reads.lists} reads`)
  t.ok((linkTo(first, 'Older') ?? '').length < 2200)
  world.reads.lists = 0
  await world.get('/inbox?mailbox=agent%40agents.example')
  t.equal(world.reads.lists, 1, 'one mailbox: one read')
})

t.test('with more mailboxes than one list takes, those with the latest activity are in it', async (t) => {
  const world = await makeInbox(t)
  const ids = [world.id]
  for (let i = 1; i < 20; i++) ids.push(await world.addMailbox(`box${i}`))
  for (const mailboxId of ids) {
    world.clock.advance(1000)
    await world.deliver({ mailboxId })
  }
  const { text } = await world.get('/inbox')
  t.match(text, 'You have 20 mailboxes')
  t.equal(hrefs({ text } as Opened, CONVERSATION).length, 16)
  t.notMatch(text, `/inbox/${ids[0]}/thr_`)
  t.equal(hrefs(await world.get('/inbox?mailbox=agent@agents.example'), CONVERSATION).length, 1)
})

t.test('views, a label, one mailbox and a search list what they say', async (t) => {
  const world = await makeInbox(t)
  const second = await world.addMailbox('second')
  const invoice = await world.deliver({ subject: 'Invoice 17', labels: ['money'] })
  await world.deliver({ subject: 'Cheap pills', labels: ['spam'] })
  await world.deliver({ mailboxId: second, subject: 'Lunch' })
  const subjects = async (path: string): Promise<string[]> =>
    [...(await world.get(path)).text.matchAll(/<span class="subject"\s*>([^<]*)</g)].map(([, text = '']) => text).sort()
  t.same(await subjects('/inbox'), ['Invoice 17', 'Lunch'])
  t.same(await subjects('/inbox?view=spam'), ['Cheap pills'])
  t.same(await subjects('/inbox?mailbox=second@agents.example'), ['Lunch'])
  t.same(await subjects('/inbox?label=money'), ['Invoice 17'])
  t.same(await subjects('/inbox?q=subject%3Ainvoice'), ['Invoice 17'])
  t.same(await subjects('/inbox?q=-invoice'), ['Lunch'])
  await world.mailboxes.labels.updateThread(world.id, invoice.thread_id, { removeLabels: ['inbox'], unread: false })
  t.same(await subjects('/inbox'), ['Lunch'])
  t.same(await subjects('/inbox?view=all'), ['Invoice 17', 'Lunch'])
  t.same(await subjects('/inbox?view=unread'), ['Lunch'])
  await world.mailboxes.trash.deleteThread(world.id, invoice.thread_id)
  t.same(await subjects('/inbox?view=trash'), ['Invoice 17'])
  await world.mailboxes.drafts.create(second, { subject: 'A plan', to: [{ address: 'ada@example.org', name: '' }] }, {})
  t.same(await subjects('/inbox?view=drafts'), ['A plan'])
  t.match((await world.get('/inbox?view=drafts')).text, `href="/review/${second}/drf_`)
})

t.test('a search that cannot be understood is explained, and stays in the field', async (t) => {
  const world = await makeInbox(t)
  const { status, text } = await world.get(`/inbox?q=${encodeURIComponent('from: "x')}`)
  t.equal(status, 400)
  t.match(text, 'role="alert"')
  t.match(text, 'value="from: &quot;x"')
})

t.test('no list of somebody else’s mailbox, nor by a forged cursor', async (t) => {
  const world = await makeInbox(t)
  const { message } = { message: await world.deliver({ mailboxId: world.theirs, subject: 'Secret' }) }
  t.equal((await world.get('/inbox?mailbox=theirs@agents.example')).status, 404)
  t.equal((await world.get('/inbox?mailbox=nobody@agents.example')).status, 404)
  for (const cursor of [`${world.theirs.slice(-10)}~`, 'x', '~', '.', 'a~b', '%00', 'x'.repeat(3000)]) {
    const { status, text } = await world.get(`/inbox?cursor=${encodeURIComponent(cursor)}`)
    t.ok([200, 400].includes(status), cursor.slice(0, 20))
    t.notMatch(text, 'Secret')
    t.notMatch(text, message.thread_id)
  }
})

t.test('the mail of an account that is suspended waits until it is active again', async (t) => {
  const world = await makeInbox(t)
  const { thread_id: threadId } = await world.deliver({ subject: 'Secret' })
  world.account.status = 'suspended'
  const { status, text } = await world.get('/inbox')
  t.equal(status, 200)
  t.match(text, 'Your account is suspended')
  t.notMatch(text, 'Secret')
  t.equal((await world.get(`/inbox/${world.id}/${threadId}`)).status, 403)
  const item = `${world.id}/${threadId}`
  t.equal((await world.post('/inbox/act', { item, do: 'delete' })).status, 403)
  t.equal((await world.open('/inbox/events', { session: TOKEN })).status, 403)
})
