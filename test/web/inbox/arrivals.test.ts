/** Live arrivals: that mail has come, to whom it may be told, and when the telling ends. */
import t, { type Test } from 'tap'
import { encodeCursor } from '../../../src/lib/cursor.js'
import type { HttpRequest } from '../../../src/http/message.js'
import { inboxPages } from '../../../src/web/inbox/pages.js'
import { servePage } from '../../../src/web/page/page.js'
import { ORIGIN, visitTo } from '../page-visit.js'
import { makeInbox, TOKEN, type InboxWorld } from './world.js'

/** An open stream. @returns its next block; undefined at its end */
async function streamOf(t: Test, world: InboxWorld, since: readonly (readonly [string, number])[]) {
  const { status, headers, body } = await world.open('/inbox/events', {
    ...{ session: TOKEN, query: `since=${encodeCursor(since.map(([id, seq]) => [id.slice(-10), seq]))}` },
  })
  t.equal(status, 200)
  t.equal(headers['Content-Type'], 'text/event-stream')
  const stream = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  t.teardown(async () => stream.return?.())
  return async (): Promise<string | undefined> => {
    const step = await stream.next()
    return step.done === true ? undefined : Buffer.from(step.value).toString()
  }
}

t.test('mail to any of the mailboxes is told of, and nothing of what it says', async (t) => {
  const world = await makeInbox(t)
  const second = await world.addMailbox('second')
  const next = await streamOf(t, world, [
    [world.id, 0],
    [second, 0],
  ])
  t.equal(await next(), 'retry: 2000\n\n')
  for (const mailboxId of [second, world.id, second]) {
    const told = next()
    await world.deliver({ mailboxId, subject: 'Secret' })
    const block = (await told) ?? ''
    t.match(block, /^id: \S+\nevent: mail\ndata: \{\}\n\n$/)
    t.notMatch(Buffer.from(block, 'base64').toString(), 'Secret')
  }
})

t.test('a stream goes on where the page or the last one ended', async (t) => {
  const world = await makeInbox(t)
  await world.deliver()
  const page = await world.get('/inbox')
  const since = /data-arrivals="\/inbox\/events\?since=([\w-]+)"/.exec(page.text)?.[1] ?? ''
  await world.deliver()
  const { body } = await world.open('/inbox/events', { session: TOKEN, query: `since=${since}` })
  const blocks: string[] = []
  for await (const block of body as AsyncIterable<Uint8Array>) {
    blocks.push(Buffer.from(block).toString())
    if (blocks.length === 2) break
  }
  t.match(blocks[1], 'event: mail', 'what came while the page was loading')
})

t.test('spam is not told of, nor what comes to others', async (t) => {
  const world = await makeInbox(t)
  const next = await streamOf(t, world, [
    [world.id, 0],
    [world.theirs, 0],
  ])
  await next()
  const told = next()
  await world.deliver({ labels: ['spam'] })
  await world.deliver({ mailboxId: world.theirs })
  await world.deliver()
  const [, id = ''] = /^id: (\S+)\nevent: mail/.exec((await told) ?? '') ?? []
  t.same(
    (JSON.parse(Buffer.from(id, 'base64url').toString()) as [string, number][]).map(([mailboxId]) => mailboxId),
    [world.id.slice(-10)],
  )
})

t.test('it ends with the session, and with the account', async (t) => {
  for (const ended of ['session', 'account'] as const) {
    const world = await makeInbox(t)
    const next = await streamOf(t, world, [[world.id, 0]])
    await next()
    const told = next()
    if (ended === 'session') world.sessions.length = 0
    else world.account.status = 'suspended'
    await world.deliver()
    t.equal(await told, undefined, ended)
  }
})

t.test('a session has a few streams at once', async (t) => {
  const world = await makeInbox(t)
  for (let i = 0; i < 4; i++) await streamOf(t, world, [[world.id, 0]])
  const query = `since=${encodeCursor([[world.id.slice(-10), 0]])}`
  t.equal((await world.open('/inbox/events', { session: TOKEN, query })).status, 429)
})

t.test('a stream follows mailboxes of one’s own only', async (t) => {
  const world = await makeInbox(t)
  for (const since of ['x', encodeCursor([]), encodeCursor([[world.theirs.slice(-10), 0]])])
    t.equal((await world.open('/inbox/events', { session: TOKEN, query: `since=${since}` })).status, 400)
  t.equal((await world.open('/inbox/events', { session: TOKEN })).status, 400)
})

t.test('the request is watched from its first turn on, so that no driver cuts it off', async (t) => {
  const spec = inboxPages().find(({ path }) => path === '/inbox/events')
  if (!spec) throw new Error('no such page')
  let isWatched = false
  const signal = new AbortController().signal
  const request: HttpRequest = {
    ...visitTo('/inbox/events', { session: TOKEN }),
    get holdSignal() {
      isWatched = true
      return signal
    },
  }
  const sessions = { find: () => new Promise<never>(() => undefined) }
  const deps = (await makeInbox(t)).deps
  void servePage(spec, { sessions, webKey: Buffer.alloc(32), origin: ORIGIN }, deps).answer({}, request)
  t.equal(isWatched, true)
})
