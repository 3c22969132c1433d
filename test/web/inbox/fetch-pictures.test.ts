/** Pictures on other servers: pictures alone, from the public Internet alone, within limits of number, bytes and time. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { createFetchPictures, MAX_REMOTE_PICTURES } from '../../../src/web/inbox/fetch-pictures.js'
import { listenAnywhere } from '../../support/ports.js'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('rest')])
const DATA = `data:image/png;base64,${PNG.toString('base64')}`

interface Server {
  port: number
  asked: IncomingMessage[]
}

async function serve(t: Test, answer: (path: string, res: ServerResponse) => void): Promise<Server> {
  const asked: IncomingMessage[] = []
  const server = createServer((req, res) => {
    asked.push(req)
    answer(req.url ?? '', res)
  })
  const port = await listenAnywhere(server)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, asked }
}

const resolver = { a: async () => ['127.0.0.1'], aaaa: async () => [] }
const rules = { allowPrivateAddresses: true, ownPorts: new Set<number>() }
const deps = { resolver, rules, userAgent: 'pictures' }

t.test('a picture comes as data, by its bytes; a page, an SVG and an error do not', async (t) => {
  const answers: Record<string, [number, Buffer | string]> = {
    '/a.png': [200, PNG],
    '/named.gif': [200, PNG],
    '/page.png': [200, '<html><script>alert(1)</script>'],
    '/x.svg': [200, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    '/gone.png': [404, PNG],
    '/large.png': [200, Buffer.concat([PNG, Buffer.alloc(3 * 1024 * 1024)])],
  }
  const { port, asked } = await serve(t, (path, res) => {
    const [status, body] = answers[path] ?? [500, '']
    res.writeHead(status, { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b' }).end(body)
  })
  const base = `http://pics.example:${port}`
  const got = await createFetchPictures(deps)(new Set(Object.keys(answers).map((path) => base + path)))
  t.same([...got].sort(), [
    [`${base}/a.png`, DATA],
    [`${base}/named.gif`, DATA],
  ])
  t.equal(asked.length, 6)
  for (const { headers } of asked) {
    t.same(Object.keys(headers).sort(), ['accept', 'connection', 'host', 'user-agent'])
    t.equal(headers['user-agent'], 'pictures')
  }
})

t.test('a redirect is followed three times, each checked as the first', async (t) => {
  const { port, asked } = await serve(t, (path, res) => {
    const [, left = ''] = /^\/(\d+)$/.exec(path) ?? []
    const to =
      left === ''
        ? path === '/file'
          ? 'file:///etc/passwd'
          : path === '/in'
            ? 'http://inside.example/'
            : ''
        : `/${Number(left) - 1}`
    if (left === '0') res.end(PNG)
    else res.writeHead(302, { Location: to }).end()
  })
  const base = `http://pics.example:${port}`
  const names: string[] = []
  const inner = {
    async a(name: string) {
      names.push(name)
      return name === 'inside.example' ? [] : ['127.0.0.1']
    },
    aaaa: async () => [],
  }
  const got = await createFetchPictures({ ...deps, resolver: inner })(
    new Set(['/3', '/4', '/file', '/in', '/loop'].map((path) => base + path)),
  )
  t.same([...got.keys()], [`${base}/3`])
  t.ok(names.includes('inside.example'), 'looked up anew')
  t.ok(asked.length <= 4 + 4 + 1 + 1 + 4, `${asked.length} requests`)
})

t.test('no address outside the public Internet, no port of this server, no name and password', async (t) => {
  const { port, asked } = await serve(t, (_path, res) => void res.end(PNG))
  const fetchPictures = createFetchPictures({ ...deps, rules: { ...rules, allowPrivateAddresses: false } })
  for (const link of [
    `http://pics.example:${port}/`,
    `http://127.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://localhost:${port}/`,
  ])
    t.equal((await fetchPictures(new Set([link]))).size, 0, link)
  const own = createFetchPictures({ ...deps, rules: { ...rules, ownPorts: new Set([port]) } })
  t.equal((await own(new Set([`http://pics.example:${port}/`]))).size, 0, 'a port of its own')
  const open = createFetchPictures(deps)
  for (const link of [`http://a:b@pics.example:${port}/`, 'ftp://pics.example/', 'https:', 'x'])
    t.equal((await open(new Set([link]))).size, 0, link)
  t.equal(asked.length, 0)
})

t.test('at most so many, so many bytes together, and one time for all', async (t) => {
  const { port, asked } = await serve(t, (path, res) => {
    if (path === '/slow') res.write(PNG)
    else if (path.startsWith('/large')) res.end(Buffer.concat([PNG, Buffer.alloc(1_900_000)]))
    else res.end(PNG)
  })
  const base = `http://pics.example:${port}`
  const fetchPictures = createFetchPictures({ ...deps, timeoutMs: 2000 })
  const many = await fetchPictures(new Set(Array.from({ length: 50 }, (_, n) => `${base}/${n}`)))
  t.equal(many.size, MAX_REMOTE_PICTURES)
  t.equal(asked.length, MAX_REMOTE_PICTURES)
  t.equal((await fetchPictures(new Set([1, 2, 3, 4, 5].map((n) => `${base}/large${n}`)))).size, 3, '6 MiB together')
  const slow = await fetchPictures(new Set([`${base}/slow`, `${base}/fast`]))
  t.same([...slow.keys()], [`${base}/fast`])
})
