/** A conversation: what it shows of each message, its files and source, its HTML in a frame, and that nobody else reads it. */
import t from 'tap'
import type { AuthenticationResults } from '../../../src/authentication/types.js'
import { newId } from '../../../src/lib/ids.js'
import { accepted, letter, SEND } from '../../mailbox/world.js'
import { hasRemotePictures } from '../../../src/web/inbox/html-mail.js'
import { FRAME_LINES } from '../../../src/web/design/inbox.js'
import { STYLE } from '../../../src/web/design/design.js'
import { frameLines } from '../../../src/web/inbox/html-frame.js'
import { EVIL, hrefs, linkTo, makeInbox, TOKEN, type InboxWorld, type Opened } from './world.js'

const AUTH: AuthenticationResults = {
  spf: { result: 'pass', domain: 'example.org' },
  dkim: { result: 'pass', domain: 'example.org', selector: 's' },
  dmarc: { result: 'pass', domain: 'example.org', policy: 'reject' },
  arc: { result: 'none' },
}
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

function mixed(htmlText: string): Buffer {
  return Buffer.from(
    [
      'From: Ada <ada@example.org>',
      'To: agent@agents.example',
      'Subject: With pictures',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      htmlText,
      '--b',
      'Content-Type: image/png; name=logo.png',
      'Content-ID: <logo@example.org>',
      'Content-Transfer-Encoding: base64',
      '',
      PNG.toString('base64'),
      '--b',
      'Content-Type: image/svg+xml; name=evil.svg',
      'Content-ID: <svg@example.org>',
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      '--b--',
      '',
    ].join('\r\n'),
  )
}

const pathOf = ({ mailbox_id: mailboxId, thread_id: threadId }: { mailbox_id: string; thread_id: string }) =>
  `/inbox/${mailboxId}/${threadId}`

t.test('sent mail says with which key or connection, by its name; of a human, and of one that is gone', async (t) => {
  const world = await makeInbox(t)
  const { mailboxes, id, keys } = world
  const send = async (by?: { type: 'key' | 'connection'; id: string }): Promise<string> => {
    const options = by ? { by: { ...by, requiresApproval: false } } : {}
    const sent = accepted(await mailboxes.sending.send(id, letter(), options))
    return (await world.get(`/inbox/${id}/${sent.thread_id}`)).text
  }
  const [key, gone] = [newId('key'), newId('con')]
  keys.push({
    ...{ id: key, mailboxId: id, name: EVIL, scopes: [], createdAt: 0, lastUsedAt: null, expiresAt: null },
    requiresApproval: false,
  })
  const named = await send({ type: 'key', id: key })
  t.match(named, /<dt>Sent by<\/dt>\s*<dd><bdi>key “&lt;script&gt;/)
  t.notMatch(named, EVIL)
  t.match(await send({ type: 'connection', id: gone }), new RegExp(`<dt>Sent by</dt>\\s*<dd><bdi>${gone}</bdi>`))
  t.match(await send(), /<dt>Sent by<\/dt>\s*<dd><bdi>you, on these pages<\/bdi>/)
  const { mailbox_id: mailboxId, thread_id: threadId } = await world.deliver()
  t.notMatch((await world.get(`/inbox/${mailboxId}/${threadId}`)).text, 'Sent by</dt>')
})

t.test('a conversation shows who wrote, what was checked, and the words; opening it marks it as read', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver({ subject: 'Code', text: 'Your code is 482913.', auth: AUTH })
  t.equal(message.unread, true)
  const { status, text, headers } = await world.get(pathOf(message))
  t.equal(status, 200)
  t.match(text, 'Proven to come from example.org.')
  t.match(text, 'No virus was found.')
  t.match(text, 'does not look like spam')
  t.match(text, 'Your code is 482913.')
  t.match(text, '<code class="code" data-copy>482913</code>')
  t.match(text, '<title>Conversation · Agents Mail</title>')
  t.match(headers['Content-Security-Policy'], "frame-src 'self'")
  t.equal((await world.mailboxes.reading.message(world.id, message.id)).unread, false)
})

t.test('a page that a browser loads ahead marks nothing as read', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver()
  await world.open(pathOf(message), { session: TOKEN, headers: { 'sec-purpose': 'prefetch;prerender' } })
  t.equal((await world.mailboxes.reading.message(world.id, message.id)).unread, true)
})

t.test('who really sent it, in a sentence', async (t) => {
  const world = await makeInbox(t)
  const sentence = async (auth: AuthenticationResults | null) =>
    (await world.get(pathOf(await world.deliver({ auth })))).text
  const none: AuthenticationResults = {
    spf: { result: 'none', domain: null },
    dkim: { result: 'none', domain: null, selector: null },
    dmarc: { result: 'none', domain: null, policy: null },
    arc: { result: 'none' },
  }
  const signedBy = (domain: string): AuthenticationResults => ({
    ...none,
    dkim: { result: 'pass', domain, selector: 's' },
  })
  t.match(
    await sentence({ ...AUTH, dmarc: { result: 'fail', domain: 'example.org', policy: 'none' } }),
    'Not proven to come from example.org: it may be forged.',
  )
  t.match(await sentence(none), 'Nothing proves that it comes from example.org.')
  t.match(
    await sentence(signedBy('mailer.example')),
    'Sent by mailer.example; nothing proves that example.org wrote it.',
  )
  t.match(await sentence(signedBy('example.org')), 'Proven to come from example.org.')
  t.match(await sentence(null), 'It was not checked who sent it.')
})

t.test('of mail that was sent elsewhere it says that nothing is known of its delivery', async (t) => {
  const world = await makeInbox(t)
  const raw = Buffer.from('From: agent@agents.example\r\nTo: ada@example.org\r\nSubject: Old\r\n\r\nHello\r\n')
  await world.mailboxes.importing.importOnce(world.id, 'sent', { raw, flags: 0, keywords: [] })
  const [message] = (await world.mailboxes.reading.messages(world.id, { limit: 1 })).data
  const { text } = await world.get(pathOf(message ?? { mailbox_id: '', thread_id: '' }))
  t.match(text, 'It was brought in from elsewhere: whether it reached anybody is not known here.')
  t.notMatch(text, 'All have it.')
})

t.test('a label leads to all mail with it; those of the service stay on', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver({ labels: ['money'] })
  const { text } = await world.get(pathOf(message))
  t.match(text, 'href="/inbox?label=money"')
  t.match(text, 'href="/inbox?label=inbox"')
  t.same(
    [...text.matchAll(/aria-label="Take off the label (\w+)"/g)].map(([, label]) => label),
    ['money'],
  )
  const item = `${world.id}/${message.thread_id}`
  await world.post('/inbox/act', { item, label: 'money', do: 'unlabel' })
  t.notMatch((await world.get(pathOf(message))).text, 'money')
})

t.test('older messages are folded, the newest is open, and text quoted below is folded too', async (t) => {
  const world = await makeInbox(t)
  const first = await world.deliver({ headers: ['Message-ID: <a@example.org>'], subject: 'Plan' })
  await world.deliver({ headers: ['In-Reply-To: <a@example.org>'], subject: 'Re: Plan' })
  await world.mailboxes.labels.updateThread(world.id, first.thread_id, { unread: false })
  await world.deliver({
    headers: ['In-Reply-To: <a@example.org>'],
    subject: 'Re: Plan',
    text: 'Yes.\r\n\r\nOn Monday Bob wrote:\r\n> Shall we?\r\n',
  })
  const { text } = await world.get(`/inbox/${world.id}/${first.thread_id}`)
  t.equal(text.match(/<li class="card message"/g)?.length, 3)
  t.equal(text.match(/<details open>\s*<summary data-row>/g)?.length, 1)
  t.match(text, 'With the quoted text and signature')
})

t.test('what strangers wrote is text on every part of the page', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver({
    from: `"${EVIL.replaceAll('"', '')}" <x@example.org>`,
    subject: EVIL,
    text: `${EVIL} https://evil.example/"onmouseover=alert(1) javascript:alert(1)`,
    headers: [`Reply-To: "</bdi><script>" <y@example.org>`],
  })
  const { text } = await world.get(pathOf(message))
  t.equal(text.match(/<script/g)?.length, 1)
  t.notMatch(text, /<img src=x|href="javascript:|"onmouseover/i)
})

t.test('a file is a download with its verdict beside it, and so is the source', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver({ raw: mixed('<p>Hello</p>') })
  const page = await world.get(pathOf(message))
  t.match(page.text, 'no virus found')
  const [file = ''] = hrefs(page, /\/files\//)
  const answer = await world.get(file)
  t.match(answer.headers, {
    'Content-Disposition': 'attachment; filename="logo.png"',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  t.match(answer.headers['Content-Security-Policy'], 'sandbox')
  t.same(Buffer.from(answer.body as Uint8Array), PNG)
  const svg = await world.get(hrefs(page, /\/files\//)[1] ?? '')
  t.match(svg.headers['Content-Disposition'], /^attachment/)
  const source = await world.get(`/inbox/${world.id}/${message.id}/raw`)
  t.match(source.headers['Content-Disposition'], /^attachment; filename="msg_\w+\.eml"$/)
  t.match(source.text, 'Content-ID: <logo@example.org>')
})

t.test('HTML is in a frame that can do nothing, with its own pictures and no others', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver({
    raw: mixed(
      '<p onclick=alert(1)>Hi <img src="cid:logo@example.org"><img src="cid:svg@example.org"><img src="cid:none@x"><img src="https://track.example/p.gif"><a href="https://example.org/x">x</a> src="cid:logo@example.org"</p><script>alert(1)</script><form action=//evil.example><input name=p></form>',
    ),
  })
  const page = await world.get(pathOf(message))
  t.match(page.text, 'sandbox="allow-popups allow-popups-to-escape-sandbox"')
  t.match(page.text, 'Pictures from elsewhere are not shown')
  const { headers, text } = await world.get(`/inbox/${world.id}/${message.id}/html`)
  const policy = String(headers['Content-Security-Policy'])
  for (const part of [
    /^sandbox allow-popups allow-popups-to-escape-sandbox;/,
    "default-src 'none'",
    'img-src data:;',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ])
    t.match(policy, part)
  t.notMatch(policy, /allow-scripts|allow-same-origin|script-src/)
  t.notMatch(text, /<script|onclick|<form|<input|track\.example|svg\+xml|src="cid:(?!logo@example\.org"<)/)
  t.equal(text.match(/src="data:image\/png;base64,/g)?.length, 1)
  t.match(text, ' src="cid:logo@example.org"</p>', 'words that look like a picture stay words')
  t.match(text, 'rel="noopener noreferrer nofollow"')
  t.match(text, '<base target="_blank">')
})

t.test(
  'pictures of other servers are fetched when they are asked for, by this session and for this message',
  async (t) => {
    const world = await makeInbox(t)
    const asked: string[][] = []
    const there = 'https://pics.example/a.png?x=1&y=%222'
    world.deps.fetchPictures = async (links) => {
      asked.push([...links])
      return new Map([[there, 'data:image/png;base64,QUJD']])
    }
    const markup = `<p>Hi <img src="cid:logo@example.org"><img src='${there.replace('&', '&amp;')}' alt=one onerror=alert(1)><img src="https://gone.example/b.gif" alt=two><img src="file:///etc/passwd"><img src="ftp://x.example/a"></p>`
    const message = await world.deliver({ raw: mixed(markup) })
    const other = await world.deliver({ raw: mixed(markup) })
    const [link = ''] = hrefs(await world.get(pathOf(message)), /\?pictures=/)
    const own = /pictures=([\w-]{22})#/.exec(link)?.[1] ?? ''
    t.match(link, `${pathOf(message)}?pictures=${own}#${message.id}`)
    const frame = `/inbox/${world.id}/${message.id}/html`
    for (const wrong of ['', '?pictures=', '?pictures=1', `?pictures=${'A'.repeat(22)}`])
      t.notMatch((await world.get(`${frame}${wrong}`)).text, /pics\.example|QUJD/)
    t.notMatch(
      (await world.get(`/inbox/${world.id}/${other.id}/html?pictures=${own}`)).text,
      'QUJD',
      'of another message',
    )
    t.same(asked, [], 'nothing was fetched')

    const page = await world.get(link.split('#')[0] ?? '')
    t.match(page.text, `src="${frame}?pictures=${own}"`)
    t.match(page.text, 'this server fetched them')
    const { text, headers } = await world.get(`${frame}?pictures=${own}`)
    t.same(asked, [[there, 'https://gone.example/b.gif']])
    t.match(await world.audited(), [
      { action: 'message.pictures_fetched', actor: { id: 'ses_1' }, subject: { message_id: message.id } },
    ])
    t.match(text, '<img alt="one" src="data:image/png;base64,QUJD" />')
    t.match(text, '<img alt="two" />')
    t.equal(text.match(/src="data:image\/png;base64,/g)?.length, 2, 'its own too')
    t.notMatch(text, /https?:\/\/|onerror|file:|ftp:/)
    t.match(headers['Content-Security-Policy'], 'img-src data:;')
  },
)

t.test('pictures and text among the files are shown, by their bytes, and nothing else', async (t) => {
  const world = await makeInbox(t)
  const part = (type: string, name: string, content: Buffer): string =>
    `--b\r\nContent-Type: ${type}; name=${name}\r\nContent-Disposition: attachment; filename=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n`
  const raw = Buffer.from(
    `From: ada@example.org\r\nTo: agent@agents.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee files\r\n${[
      part('image/jpeg', 'photo.jpg', PNG),
      part('image/png', 'page.png', Buffer.from('<html><script>alert(1)</script>')),
      part('text/plain', 'notes.txt', Buffer.from(`caf\u00e9 ${EVIL}`)),
      part('image/svg+xml', 'evil.svg', Buffer.from('<svg/>')),
      part('text/html', 'evil.html', Buffer.from('<script>alert(1)</script>')),
      part('application/pdf', 'bill.pdf', Buffer.from('%PDF-1.7')),
    ].join('')}--b--\r\n`,
  )
  const message = await world.deliver({ raw })
  const page = await world.get(pathOf(message))
  const files = `/inbox/${world.id}/${message.id}/files/`
  const shown = [...page.text.matchAll(/(?:src|href)="[^"]*\/files\/([^"/]*)\/(picture|text)"/g)]
  const names = new Map(message.attachments.map(({ id, filename }) => [id, filename]))
  t.same(
    shown.map(([, id = '', as]) => [names.get(id), as]),
    [
      ['photo.jpg', 'picture'],
      ['page.png', 'picture'],
      ['notes.txt', 'text'],
    ],
  )
  const at = (name: string, as: string) =>
    world.get(`${files}${message.attachments.find(({ filename }) => filename === name)?.id}/${as}`)
  const photo = await at('photo.jpg', 'picture')
  t.match(photo.headers, { 'Content-Type': 'image/png', 'X-Content-Type-Options': 'nosniff' }, 'by its bytes')
  t.match(photo.headers['Content-Security-Policy'], "default-src 'none'; sandbox")
  t.same(Buffer.from(photo.body as Uint8Array), PNG)
  t.equal((await at('page.png', 'picture')).status, 404, 'a page that is called a picture')
  const notes = await at('notes.txt', 'text')
  t.match(notes.text, 'caf\u00e9 &lt;script&gt;')
  t.notMatch(notes.text, '<script>alert')
  for (const [name, as] of [
    ['evil.svg', 'picture'],
    ['evil.html', 'text'],
    ['bill.pdf', 'text'],
    ['notes.txt', 'picture'],
    ['photo.jpg', 'text'],
  ] as const)
    t.equal((await at(name, as)).status, 404, name)
  t.equal((await world.get(`${files}att_NONE/text`)).status, 404)
})

t.test('pictures from elsewhere are noticed however they are written', async (t) => {
  for (const html of [
    '<img src="https://x.example/a.gif">',
    "<IMG width=1 SRC='http://x.example/a.gif'>",
    '<img src=//x.example/a>',
    '<td background="https://x.example/a.png">',
    '<div style="background:url(https://x.example/a.png)">',
    '<img srcset="https://x.example/a.png 2x">',
  ])
    t.ok(hasRemotePictures(html), html)
  for (const html of ['<img src="cid:a@b">', '<a href="https://x.example/">', '<img src="data:image/png;base64,AA">'])
    t.notOk(hasRemotePictures(html), html)
})

t.test('a message that went out tells how it went; one that is held why, and can be withdrawn', async (t) => {
  const world = await makeInbox(t)
  world.guard.verdict = { ...SEND, decision: 'hold', reasons: [{ code: 'x', detail: 'Asks for a <password>' }] }
  const { id, thread_id: threadId } = await world.send({ subject: 'Please' })
  await world.mailboxes.outbound.runCheck(world.id, id)
  const path = `/inbox/${world.id}/${threadId}`
  const held = await world.get(path)
  t.match(held.text, 'The guard was not sure about it.')
  t.match(held.text, 'Asks for a &lt;password&gt;')
  t.match(held.text, `action="/inbox/${world.id}/${id}/withdraw"`)
  t.match((await world.get('/inbox?view=held')).text, path)
  const { status, headers } = await world.post(`/inbox/${world.id}/${id}/withdraw`, {})
  t.equal(status, 303)
  t.equal(headers['Location'], `${path}?done=withdrawn`)
  t.match((await world.get(`${path}?done=withdrawn`)).text, 'It was withdrawn, and not sent.')

  world.guard.verdict = SEND
  const sent = await world.send({ subject: 'Hello' })
  await world.mailboxes.outbound.runCheck(world.id, sent.id)
  await world.mailboxes.outbound.startSending(world.id, sent.id)
  await world.mailboxes.outbound.recordAttempt(world.id, sent.id, [
    {
      ...{ address: 'ada@example.org', status: 'bounced', smtpCode: 550, nextAttemptAt: null },
      detail: '5.1.1 no <such> user',
    },
  ])
  const { text } = await world.get(`/inbox/${world.id}/${sent.thread_id}`)
  t.match(text, 'Nobody has it.')
  t.match(text, /The other server said:\s*<q dir="auto">550 5\.1\.1 no &lt;such&gt; user/)
  t.notMatch(text, '/withdraw"')
  t.equal((await world.post(`/inbox/${world.id}/${sent.id}/withdraw`, {})).status, 409)
})

t.test('the owner of a held message tells the staff in a line what it is for', async (t) => {
  const world = await makeInbox(t)
  world.guard.verdict = { ...SEND, decision: 'hold', reasons: [{ code: 'x', detail: 'In doubt' }] }
  const { id, thread_id: threadId } = await world.send({ subject: 'Please' })
  await world.mailboxes.outbound.runCheck(world.id, id)
  const path = `/inbox/${world.id}/${threadId}`
  const action = `/inbox/${world.id}/${id}/appeal`
  t.match((await world.get(path)).text, `action="${action}"`)
  for (const [appeal, done] of [
    ['', 'noline'],
    ['x'.repeat(501), 'noline'],
    [EVIL, 'appealed'],
  ] as const)
    t.equal((await world.post(action, { appeal })).headers['Location'], `${path}?done=${done}`)
  const { text } = await world.get(`${path}?done=appealed`)
  t.match(text, 'The staff will read it')
  t.match(text, 'You wrote to the staff: <q dir="auto">&lt;script&gt;')
  t.notMatch(text, '<script>alert')
  t.match((await world.get(`/inbox/${world.id}/${id}`)).text, 'You wrote to the staff', 'on its own page too')
  t.equal((await world.post(`/inbox/${world.theirs}/${id}/appeal`, { appeal: 'x' })).status, 404)
  t.equal((await world.open(action, { form: { appeal: 'x' } })).status, 401, 'signed out')
  await world.mailboxes.sending.cancel(world.id, id)
  t.equal((await world.post(action, { appeal: 'x' })).headers['Location'], `${path}?done=decided`)
  t.notMatch((await world.get(path)).text, action)
})

t.test('a message in the trash is read by its own id, and put back', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver({ subject: 'Gone?' })
  await world.mailboxes.trash.deleteThread(world.id, message.thread_id)
  t.equal((await world.get(pathOf(message))).status, 404)
  const path = `/inbox/${world.id}/${message.id}`
  t.match((await world.get('/inbox?view=trash')).text, `href="${path}"`)
  t.match((await world.get(path)).text, 'In the trash since')
  const { headers } = await world.post('/inbox/act', {
    ...{ item: `${world.id}/${message.id}`, do: 'restore', back: pathOf(message) },
  })
  t.equal(headers['Location'], `${pathOf(message)}?done=restore`)
  t.equal((await world.get(pathOf(message))).status, 200)
})

t.test('a long conversation stays one page of limited size', async (t) => {
  const world = await makeInbox(t)
  const long = 'word '.repeat(9000)
  let threadId = ''
  for (let i = 0; i < 12; i++)
    ({ thread_id: threadId } = await world.deliver({
      headers: i === 0 ? ['Message-ID: <a@x>'] : ['In-Reply-To: <a@x>'],
      subject: 'Re: A',
      text: long,
    }))
  await world.mailboxes.labels.updateThread(world.id, threadId, { unread: false })
  const { text } = await world.get(`/inbox/${world.id}/${threadId}`)
  t.ok(text.length < 450_000, `${text.length} characters`)
  t.match(text, 'Show this message on a page of its own')
})

t.test('all messages of a long conversation are reached, page by page, and the newest again', async (t) => {
  const world = await makeInbox(t)
  const ids: string[] = []
  let threadId = ''
  for (let i = 0; i < 230; i++) {
    const headers = i === 0 ? ['Message-ID: <a@x>'] : ['In-Reply-To: <a@x>']
    const message = await world.deliver({ headers, subject: 'Re: A', labels: i === 5 ? ['spam'] : ['inbox'] })
    ids.push(message.id)
    threadId = message.thread_id
  }
  const path = `/inbox/${world.id}/${threadId}`
  const shown = ({ text }: Opened): string[] =>
    [...text.matchAll(/<li class="card message" id="(\w+)"/g)].map(([, id = '']) => id)
  const newest = await world.get(path)
  t.same(shown(newest), ids.slice(130))
  const older = linkTo(newest, 'Older messages (130)') ?? ''
  t.equal(linkTo(newest, 'Newest messages'), undefined)

  const later = await world.deliver({ headers: ['In-Reply-To: <a@x>'], subject: 'Re: A' })
  const second = await world.get(older)
  t.same(shown(second), ids.slice(30, 130), 'what comes meanwhile moves nothing')
  t.equal(linkTo(second, 'Newest messages'), path)
  t.equal((await world.mailboxes.reading.message(world.id, later.id)).unread, true, 'and is not read by it')
  t.notMatch(second.text, 'name="do" value="archive"')
  const last = await world.get(linkTo(second, 'Older messages (30)') ?? '')
  t.same(shown(last), ids.slice(0, 30), 'with its spam')
  t.notMatch(last.text, 'Older messages')
  t.match(newest.text, 'Messages 131 to 230 of 230')
  t.match(second.text, 'Messages 31 to 130 of 231')

  const other = await world.deliver({ subject: 'Something else' })
  const foreign = await world.deliver({ mailboxId: world.theirs, subject: 'Secret' })
  for (const before of [ids[0], other.id, foreign.id, 'msg_NONE', 'x', '', '__proto__'])
    t.equal((await world.get(`${path}?before=${before}`)).status, 404, before ?? 'none')
})

t.test('a frame is about as high as its mail', async (t) => {
  const lines = (text: string, markup = '<p>x</p>', hasRemote = false) => frameLines({ text, html: markup }, hasRemote)
  t.equal(lines('Hello'), 6)
  t.equal(lines('Hello\n\n\n\n\n\n\n\nthere'), 6, 'empty lines are one')
  t.equal(lines('word\n'.repeat(14)), 16)
  t.equal(lines('x'.repeat(90 * 20)), 24)
  t.equal(lines('word '.repeat(100_000)), 60, 'no higher than that')
  t.equal(lines('Hi', '<img src="cid:a"><img src="cid:b" height="480">'), 36)
  t.equal(lines('Hi', '<img src="https://x.example/a" height=480>'), 6, 'what is not shown takes no room')
  t.equal(lines('Hi', '<img src="https://x.example/a" height=480>', true), 24)
  t.equal(lines('Hi', `<img src="cid:${'a'.repeat(300_000)}`), 10, 'unended')
  for (const each of FRAME_LINES) t.match(STYLE, `.lines-${each} { --lines: ${each} }`)
  const world = await makeInbox(t)
  const message = await world.deliver({ raw: mixed('<p>Hello</p>') })
  const { text } = await world.get(pathOf(message))
  t.match(text, 'class="mail-frame lines-6"')
  t.match(
    text,
    `<a href="/inbox/${world.id}/${message.id}/html" target="_blank" rel="noopener">Open it on a page of its own</a>`,
  )
})

t.test('mail that waits or was stopped has no button to answer it, and what can be done instead', async (t) => {
  const world = await makeInbox(t)
  const pageOfSent = async (decision: 'hold' | 'block' | 'send') => {
    world.guard.verdict = decision === 'send' ? SEND : { ...SEND, decision, reasons: [{ code: 'x', detail: 'x' }] }
    const { id, thread_id: threadId } = await world.send({ subject: decision })
    if (decision !== 'block') await world.mailboxes.outbound.runCheck(world.id, id)
    return { id, text: (await world.get(`/inbox/${world.id}/${threadId}`)).text }
  }
  const answers = (text: string): string[] =>
    [...text.matchAll(/class="button plain" data-key="(\w)"/g)].map(([, key = '']) => key)
  const held = await pageOfSent('hold')
  t.same(answers(held.text), [])
  t.match(held.text, '/withdraw"')
  t.match(held.text, 'Tell the staff in one line what it is for')
  t.match(held.text, '/raw" download', 'the rest is there')
  const blocked = await pageOfSent('block')
  t.same(answers(blocked.text), ['f'])
  t.match(blocked.text, 'Was it wrong to block it?')
  await world.mailboxes.sending.cancel(world.id, held.id)
  t.same(answers((await world.get(`/inbox/${world.id}/${held.id}`)).text), ['f'])
  t.same(answers((await pageOfSent('send')).text), ['r', 'f'])
  t.same(answers((await world.get(pathOf(await world.deliver()))).text), ['r', 'f'])
})

t.test('nobody reads, downloads or changes the mail of another account', async (t) => {
  const world = await makeInbox(t)
  const { theirs } = world
  const message = await world.deliver({ mailboxId: theirs, raw: mixed('<p>Secret</p>') })
  const own = await world.deliver({})
  const paths = (mailboxId: string): string[] => [
    `/inbox/${mailboxId}/${message.thread_id}`,
    `/inbox/${mailboxId}/${message.id}`,
    `/inbox/${mailboxId}/${message.id}/html`,
    `/inbox/${mailboxId}/${message.id}/raw`,
    `/inbox/${mailboxId}/${message.id}/files/${message.attachments[0]?.id}`,
    `/inbox/${mailboxId}/${message.id}/files/${message.attachments[0]?.id}/picture`,
    `/inbox/${mailboxId}/${message.id}/files/${message.attachments[0]?.id}/text`,
  ]
  for (const path of [theirs, world.id, 'mbx_NONE', '__proto__'].flatMap(paths)) {
    const { status, text } = await world.get(path)
    t.equal(status, 404, path)
    t.notMatch(text, 'Secret')
    t.notMatch(text, '/v1/', 'in the words of the pages')
  }
  t.equal((await world.post(`/inbox/${theirs}/${message.id}/withdraw`, {})).status, 404)
  const item = `${theirs}/${message.thread_id}`
  t.equal((await world.post('/inbox/act', { item: [item, `${world.id}/${own.thread_id}`], do: 'delete' })).status, 404)
  t.equal((await unreadOf(world, theirs, message.id)).deleted_at, undefined)
})

const unreadOf = (world: InboxWorld, mailboxId: string, id: string) => world.mailboxes.reading.message(mailboxId, id)

t.test('signed out, nothing of a message is to be had', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver({ raw: mixed('<p>Secret</p>') })
  for (const path of [
    pathOf(message),
    `/inbox/${world.id}/${message.id}/html`,
    `/inbox/${world.id}/${message.id}/raw`,
  ]) {
    const answer: Opened = await world.open(path, {})
    t.equal(answer.status, 303)
    t.notMatch(answer.text, 'Secret')
  }
})
