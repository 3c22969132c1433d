/** Senders whose pictures are shown without being asked for: from which messages they are remembered, for which they count, and the list. */
import t from 'tap'
import type { AuthenticationResults } from '../../../src/authentication/types.js'
import { MAX_PICTURE_SENDERS } from '../../../src/accounts/picture-senders.js'
import { EVIL, makeInbox, TOKEN, type InboxWorld } from './world.js'

const THERE = 'https://pics.example/a.png'
const AUTH: AuthenticationResults = {
  spf: { result: 'pass', domain: 'shop.example' },
  dkim: { result: 'pass', domain: 'shop.example', selector: 's' },
  dmarc: { result: 'pass', domain: 'shop.example', policy: 'reject' },
  arc: { result: 'none' },
}
const NEWS = 'News <News@Shop.example>'

interface Sent {
  from?: string
  dmarc?: AuthenticationResults['dmarc']['result']
  auth?: AuthenticationResults | null
  labels?: string[]
}

let subjects = 0

/** Each is a conversation of its own. */
function deliver(world: InboxWorld, { from = NEWS, dmarc = 'pass', auth, labels = ['inbox'] }: Sent = {}) {
  const raw = Buffer.from(
    `From: ${from}\r\nTo: agent@agents.example\r\nSubject: News ${subjects++}\r\nContent-Type: text/html\r\n\r\n<p>Hi <img src="${THERE}"></p>\r\n`,
  )
  const found = auth === undefined ? { ...AUTH, dmarc: { ...AUTH.dmarc, result: dmarc } } : auth
  return world.deliver({ raw, auth: found, labels })
}

type Delivered = Awaited<ReturnType<typeof deliver>>

const pathOf = ({ mailbox_id: mailboxId, thread_id: threadId }: Delivered): string => `/inbox/${mailboxId}/${threadId}`

async function pageOf(world: InboxWorld, message: Delivered): Promise<string> {
  return (await world.get(pathOf(message))).text
}

const areShown = (page: string): boolean => /<iframe[^>]*\/html\?pictures=[\w-]{22}"/s.test(page)

const remember = (world: InboxWorld, { mailbox_id: mailboxId, id }: Delivered, back?: string) =>
  world.post(`/inbox/${mailboxId}/${id}/pictures`, { do: 'always', ...(back !== undefined && { back }) })

t.test('a proven sender is remembered, and later messages of theirs have their pictures', async (t) => {
  const world = await makeInbox(t)
  const asked: string[][] = []
  world.deps.fetchPictures = async (links) => {
    asked.push([...links])
    return new Map([[THERE, 'data:image/png;base64,QUJD']])
  }
  const first = await deliver(world)
  const before = await pageOf(world, first)
  t.notOk(areShown(before))
  t.match(before, /Always show pictures of\s*<bdi>News@shop\.example<\/bdi>/)
  const { status, headers } = await remember(world, first, `${pathOf(first)}?before=msg_x`)
  t.equal(status, 303)
  t.equal(headers['Location'], `${pathOf(first)}?before=msg_x&done=pictures#${first.id}`, 'back to where it was')
  t.match((await world.get(`${pathOf(first)}?done=pictures`)).text, 'are shown from now on')

  const later = await deliver(world, { from: 'Somebody <news@shop.example>' })
  const page = await pageOf(world, later)
  t.ok(areShown(page))
  t.match(page, 'are always shown')
  t.match(page, 'href="/inbox/pictures"')
  t.same(asked, [], 'the page alone fetches nothing')
  const [, frame = ''] = /<iframe[^>]*src="([^"]*)"/s.exec(page) ?? []
  t.match((await world.get(frame)).text, 'src="data:image/png;base64,QUJD"')
  t.same(asked, [[THERE]])
})

t.test('not for others of that domain, nor for what is not proven to be theirs, nor for spam', async (t) => {
  const world = await makeInbox(t)
  await remember(world, await deliver(world))
  t.ok(areShown(await pageOf(world, await deliver(world))), 'to compare with')
  for (const [what, sent] of [
    ['another address of the domain', { from: 'sales@shop.example' }],
    ['a longer one', { from: 'news@shop.example.evil.example' }],
    ['a tagged one', { from: 'news+1@shop.example' }],
    ['DMARC failed', { dmarc: 'fail' }],
    ['no DMARC', { dmarc: 'none' }],
    ['DMARC not looked up', { dmarc: 'temperror' }],
    ['nothing was checked', { auth: null }],
    ['spam', { labels: ['spam'] }],
  ] satisfies [string, Sent][])
    t.notOk(areShown(await pageOf(world, await deliver(world, sent))), what)
  t.match(await pageOf(world, await deliver(world, { dmarc: 'fail' })), 'nothing proves that this message is theirs')
})

t.test('a sender of whom nothing is proven is not remembered', async (t) => {
  const world = await makeInbox(t)
  for (const sent of [{ dmarc: 'fail' }, { dmarc: 'none' }, { auth: null }, { labels: ['spam'] }] satisfies Sent[]) {
    const message = await deliver(world, sent)
    t.notMatch(await pageOf(world, message), 'Always show')
    const { status, text } = await remember(world, message)
    t.equal(status, 400)
    t.match(text, 'Nothing proves who wrote this message')
  }
  const own = await world.send({ html: `<img src="${THERE}">` })
  const answer = await world.post(`/inbox/${world.id}/${own.id}/pictures`, { do: 'always' })
  t.equal(answer.status, 400, 'mail of one’s own')
  t.same(await world.deps.pictureSenders.list(world.account.id), [])
})

t.test('it ends on the message or on the list', async (t) => {
  const world = await makeInbox(t)
  const message = await deliver(world)
  await remember(world, message)
  t.match(await pageOf(world, message), /Stop showing pictures of\s*<bdi>News@shop/)
  const stopped = await world.post(`/inbox/${world.id}/${message.id}/pictures`, { do: 'ask' })
  t.equal(stopped.headers['Location'], `${pathOf(message)}?done=nopictures#${message.id}`)
  t.notOk(areShown(await pageOf(world, message)))
  t.match((await world.get('/inbox/pictures')).text, 'There are none')

  await remember(world, message)
  t.match((await world.get('/inbox')).text, 'href="/inbox/pictures"')
  const list = await world.get('/inbox/pictures')
  t.match(list.text, /<bdi>news@shop\.example<\/bdi>/)
  t.match(list.text, /name="address"\s+value="news@shop\.example"/)
  const removed = await world.post('/inbox/pictures', { address: 'news@shop.example' })
  t.equal(removed.headers['Location'], '/inbox/pictures?done=nopictures')
  t.match((await world.get('/inbox/pictures?done=nopictures')).text, 'There are none')
  t.notOk(areShown(await pageOf(world, message)))
})

t.test('one too many is refused with the way out', async (t) => {
  const world = await makeInbox(t)
  for (let n = 0; n < MAX_PICTURE_SENDERS; n++) await world.deps.pictureSenders.add(world.account.id, `s${n}@x.example`)
  const { status, text } = await remember(world, await deliver(world))
  t.equal(status, 409)
  t.match(text, 'there can be no more')
  t.match(text, '/inbox/pictures')
})

t.test('only with the mark of the session, for mail of one’s own, and back to the inbox alone', async (t) => {
  const world = await makeInbox(t)
  const message = await deliver(world)
  const path = `/inbox/${world.id}/${message.id}/pictures`
  t.equal((await world.open(path, { session: TOKEN, form: { do: 'always' } })).status, 400, 'no mark')
  t.equal((await world.open(path, { form: { do: 'always' } })).status, 401, 'signed out')
  t.equal((await world.open('/inbox/pictures', { session: TOKEN, form: { address: 'x@y.example' } })).status, 400)
  t.equal((await world.open('/inbox/pictures', {})).status, 303, 'the list asks to sign in')
  t.equal((await world.post(`/inbox/${world.theirs}/${message.id}/pictures`, { do: 'always' })).status, 404)
  t.same(await world.deps.pictureSenders.list(world.account.id), [])
  for (const back of ['//evil.example', 'https://evil.example/inbox', '/account/delete'])
    t.equal((await remember(world, message, back)).headers['Location'], `/inbox?done=pictures#${message.id}`, back)
  world.account.status = 'suspended'
  t.equal((await remember(world, message)).status, 403)
})

t.test('an address is text, wherever it is shown', async (t) => {
  const world = await makeInbox(t)
  await world.deps.pictureSenders.add(world.account.id, `"${EVIL.replaceAll('"', '')}"@x.example`)
  const { text } = await world.get('/inbox/pictures')
  t.notMatch(text, /<script>alert|<img src=x/)
  t.match(text, '&lt;script&gt;')
})
