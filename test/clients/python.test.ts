/** Both classes of the Python client against answers that a server gives on a bad day, as the TypeScript client has them. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'
import { cut, json, refusal, startServer } from './bad-days.js'

const PYTHON = '/usr/bin/python3'
const CLIENT = join(process.cwd(), 'clients/python')
const accepted = { id: 'msg_1', thread_id: 'thr_1', status: 'checking' }

/** Makes a call with each class, one after the other. @returns the answer or the error of each */
async function calling(url: string, call: string, retries = 3): Promise<unknown[]> {
  const program = (isAsync: boolean): string => `
import asyncio, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from restante import ${isAsync ? 'AsyncRestante as Client' : 'Restante as Client'}, RestanteError
async def main():
    mailbox = Client(${JSON.stringify(`${url}/`)}, "k", retries=${retries})
    try:
        result = ${isAsync ? 'await ' : ''}mailbox.${call}
    except RestanteError as error:
        result = {"code": error.code, "status": error.status, "hint": error.hint, "fields": error.fields,
                  "request_id": error.request_id, "retry_after": error.retry_after, "text": str(error)}
    except Exception as error:
        result = {"raised": isinstance(error, OSError) or type(error).__module__ == "http.client"}
    print(json.dumps(result))
asyncio.run(main())`
  const results = []
  for (const isAsync of [false, true]) {
    const { stdout, stderr } = await run(PYTHON, ['-X', 'utf8', '-c', program(isAsync), CLIENT])
    results.push(stdout === '' ? stderr : JSON.parse(stdout))
  }
  return results
}

const inPython = (name: string, test: (t: Test) => Promise<void>) => t.test(name, peer('python3', PYTHON), test)
const twice = <T>(answers: T[]): T[] => [...answers, ...answers]

inPython('a refusal says what to do next', async (t) => {
  const body = { error: { ...refusal('invalid_request').error, fields: [{ field: 'to', problem: 'missing' }] } }
  const { url } = await startServer(t, twice([json(400, body, { 'x-request-id': 'req_1', 'retry-after': '7' })]))
  const expected = {
    code: 'invalid_request',
    status: 400,
    hint: 'Do this instead.',
    fields: [{ field: 'to', problem: 'missing' }],
    request_id: 'req_1',
    retry_after: 7,
    text: 'It says no. to: missing. Do this instead.',
  }
  t.same(await calling(url, 'send("a@b.example", "Hi", "Hello")'), [expected, expected])
})

inPython('sending goes on over a lost connection, a fault and a limit, with one key', async (t) => {
  const day = [
    cut,
    json(503, refusal('unavailable'), { 'retry-after': '0' }),
    json(429, refusal('rate_limited'), { 'retry-after': '0' }),
    json(202, accepted),
  ]
  const { url, seen } = await startServer(t, twice(day))
  t.same(await calling(url, 'send("a@b.example", "Hi", "Hello")'), [accepted, accepted])
  const keys = seen.map(({ headers }) => headers['idempotency-key'])
  t.same([new Set(keys.slice(0, 4)).size, new Set(keys.slice(4)).size, new Set(keys).size], [1, 1, 2])
  t.match(keys[0], /^[0-9a-f-]{36}$/)
  t.ok(seen.every(({ headers }) => headers.authorization === 'Bearer k'))
})

inPython('an answer that ends too early is asked for again', async (t) => {
  const short = (_: unknown, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"id":')
    setImmediate(() => response.destroy())
  }
  const { url } = await startServer(t, twice([short, json(200, accepted)]))
  t.same(await calling(url, 'get_mailbox()'), [accepted, accepted])
})

inPython('what may have been done already is not done again', async (t) => {
  for (const answer of [cut, json(500, refusal('internal'))]) {
    const { url, seen } = await startServer(t, [answer, answer])
    for (const result of await calling(url, 'delete_account()'))
      t.match(result, answer === cut ? { raised: true } : { code: 'internal' })
    t.equal(seen.length, 2)
  }
})

inPython('a limit of the day is for the caller to wait for', async (t) => {
  const { url, seen } = await startServer(
    t,
    twice([json(429, refusal('new_recipient_limit'), { 'retry-after': '7200' })]),
  )
  for (const result of await calling(url, 'send("a@b.example", "Hi", "Hello")'))
    t.match(result, { code: 'new_recipient_limit', retry_after: 7200 })
  t.equal(seen.length, 2)
})

inPython('a key does not follow a redirect', async (t) => {
  const other = await startServer(t, [json(200, {}), json(200, {})])
  const away = (_: unknown, response: ServerResponse): unknown => response.writeHead(302, { location: other.url }).end()
  const { url } = await startServer(t, twice([away]))
  for (const result of await calling(url, 'get_mailbox()', 0)) t.match(result, { status: 302 })
  t.equal(other.seen.length, 0)
})

inPython('an answer of something in between is an error too', async (t) => {
  const page = (_: unknown, response: ServerResponse): unknown => response.writeHead(502).end('<h1>Bad gateway</h1>')
  const { url } = await startServer(t, twice([page]))
  for (const result of await calling(url, 'get_mailbox()', 0))
    t.match(result, { status: 502, code: 'unknown', text: /Bad gateway/ })
})

inPython('words in paths and queries stay what they are', async (t) => {
  const { url, seen } = await startServer(t, twice([json(200, {})]))
  await calling(url, 'get_message("../a/b?c")')
  t.ok(seen.every((each) => each.url === '/v1/messages/..%2Fa%2Fb%3Fc'))
  const lists = await startServer(t, twice([json(200, {})]))
  await calling(lists.url, 'list_threads(q="a&b=c d", unread=True, from_="@example.org")')
  for (const each of lists.seen) {
    const query = new URL(each.url ?? '', lists.url).searchParams
    t.same(Object.fromEntries(query), { q: 'a&b=c d', unread: '1', from: '@example.org' })
  }
})

t.test(
  'with asyncio, any number of calls wait at once, and one that is cancelled leaves',
  peer('python3', PYTHON),
  async (t) => {
    const WAITING = 50
    const held: ServerResponse[] = []
    const hold = (_: unknown, response: ServerResponse): void => {
      held.push(response)
      // All are answered once all are there, but the last, which is cancelled.
      if (held.length < WAITING) return
      for (const each of held.slice(0, -1)) each.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
    const { url } = await startServer(
      t,
      Array.from({ length: WAITING }, () => hold),
    )
    const program = `
import asyncio, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from restante import AsyncRestante
async def main():
    mailbox = AsyncRestante(${JSON.stringify(url)}, "k")
    tasks = [asyncio.ensure_future(mailbox.get_mailbox()) for _ in range(${WAITING})]
    done = 0
    for each in asyncio.as_completed(tasks):
        await each
        done += 1
        if done == ${WAITING - 1}:
            break
    for each in tasks:
        each.cancel()
    print(done, sum(each.cancelled() for each in (await asyncio.wait(tasks))[0]))
asyncio.run(main())`
    const { stdout, stderr } = await run(PYTHON, ['-X', 'utf8', '-c', program, CLIENT])
    t.equal(stderr, '')
    t.equal(stdout, `${WAITING - 1} 1\n`)
    const last = held.at(-1)
    if (last && !last.closed) await once(last, 'close')
    t.equal(last?.writableFinished, false)
  },
)
