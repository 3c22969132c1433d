/** The examples of every operation, run as they stand with curl, TypeScript and Python: each makes the same request, which the declaration accepts. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { Restante } from '#client'
import { routes } from '../../../src/api/v1-routes.js'
import { createMatcher } from '../../../src/http/routing/match.js'
import { samplesOf } from '../../../src/web/guide/samples.js'
import { peer } from '../../support/peers/peers.js'

const run = promisify(execFile)
const PYTHON = '/usr/bin/python3'
/** The host of an example, where it has one. */
const URL_OF_IT = 'https://mail.agents.example'

interface Seen {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  key: string | undefined
}

/** Takes every request, and keeps those whose path begins with `/<language>/<operationId>`. */
async function startRecorder(t: Test): Promise<{ url: string; seen: Map<string, Seen[]> }> {
  const seen = new Map<string, Seen[]>()
  const server = createServer((request, response) => {
    void (async () => {
      let text = ''
      for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
      const [, name = '', path = ''] = /^\/(\w+\/\w+)(\/.*)$/.exec(pathname) ?? []
      seen.set(name, [
        ...(seen.get(name) ?? []),
        {
          method: request.method ?? '',
          path,
          query: Object.fromEntries(searchParams),
          body: text === '' ? undefined : JSON.parse(text),
          key: request.headers.authorization,
        },
      ])
      response.setHeader('content-type', 'application/json')
      response.end('{"data":[{}],"has_more":false,"next_cursor":null}')
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, seen }
}

const textOf = (operationId: string, label: string): string => {
  const route = routes.find((each) => each.operationId === operationId)
  const text = route && samplesOf(route, URL_OF_IT).find((each) => each.label === label)?.text
  if (text === undefined) throw new Error(`${operationId} has no example for ${label}`)
  return text
}
const names = routes.map(({ operationId }) => operationId)

t.test('each example makes the request that its operation takes', peer('python3', PYTHON), async (t) => {
  const { url, seen } = await startRecorder(t)
  const dir = t.testdir()

  const commands = names.map((name) => textOf(name, 'curl').replace(URL_OF_IT, `${url}/curl/${name}`))
  t.ok(commands.every((text) => text.startsWith('curl ')))
  await writeFile(
    join(dir, 'all.sh'),
    commands.map((text) => `${text.replace(/^curl /, 'curl -sS -o /dev/null ')}\n`).join(''),
  )
  await run('/bin/sh', ['-eu', join(dir, 'all.sh')], { env: { ...process.env, KEY: 'k', HOME: dir } })

  const environment = { RESTANTE_URL: process.env['RESTANTE_URL'], RESTANTE_API_KEY: process.env['RESTANTE_API_KEY'] }
  t.teardown(() => {
    for (const [name, value] of Object.entries(environment)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  process.env['RESTANTE_API_KEY'] = 'k'
  for (const name of names) {
    process.env['RESTANTE_URL'] = `${url}/typescript/${name}`
    const text = textOf(name, 'TypeScript').replace("import { Restante } from 'restante-client'\n", '')
    const program: unknown = new Function('Restante', 'console', `return (async () => {${text}\n})()`)(Restante, {
      log: () => undefined,
    })
    await program
  }

  const program = `
import json, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
os.environ["RESTANTE_API_KEY"] = "k"
for name, text in json.load(sys.stdin):
    os.environ["RESTANTE_URL"] = sys.argv[2] + "/python/" + name
    exec(text, {"print": lambda _: None})
`
  const child = run(PYTHON, ['-X', 'utf8', '-c', program, join(process.cwd(), 'clients/python'), url])
  child.child.stdin?.end(JSON.stringify(names.map((name) => [name, textOf(name, 'Python')])))
  t.equal((await child).stderr, '')

  const matcher = createMatcher<Record<string, string>>()
  for (const { method, path, operationId } of routes) matcher.at(path, () => ({}))[method] = operationId
  for (const route of routes) {
    const { operationId, method, auth, params, query, body } = route
    const [curl, ...more] = seen.get(`curl/${operationId}`) ?? []
    t.same(more, [], `${operationId} is one request`)
    t.equal(curl?.method, method, operationId)
    const found = matcher.match(curl?.path ?? '')
    t.equal(found?.value[method], operationId)
    if (params) t.ok(params.safeParse(found?.params).success, `${operationId}: path`)
    if (auth !== 'none') t.equal(curl?.key, 'Bearer k', operationId)
    for (const language of ['curl', 'typescript', 'python']) {
      const requests = seen.get(`${language}/${operationId}`) ?? []
      const isPaged = query !== undefined && 'cursor' in query.shape && language !== 'curl'
      t.equal(requests.length, isPaged ? 2 : 1, `${operationId} in ${language}`)
      for (const each of requests) {
        t.same([each.method, each.path], [method, curl?.path], `${operationId} in ${language}`)
        t.same(each.body, curl?.body, `${operationId} in ${language}`)
        if (query) t.ok(query.safeParse(each.query).success, `${operationId} in ${language}: query`)
        else t.same(each.query, {})
        if (body) t.ok(body.safeParse(each.body).success, `${operationId} in ${language}: body`)
        else t.equal(each.body, undefined)
      }
      const meaning = (given: Seen | undefined): unknown => (query ? query.parse(given?.query) : {})
      t.same(meaning(requests[0]), meaning(curl), `${operationId} in ${language} asks for the same`)
    }
  }
})

t.test('TypeScript knows the types of each example', async (t) => {
  const path = join(process.cwd(), '.tests', `samples-${process.pid}.ts`)
  t.teardown(() => ts.sys.deleteFile?.(path))
  const body = names.map((name) =>
    textOf(name, 'TypeScript')
      .replace("import { Restante } from 'restante-client'\n", `export async function ${name}() {`)
      .concat('\n}'),
  )
  await writeFile(path, ["import { Restante } from '#client'", ...body].join('\n'))
  const program = ts.createProgram([path], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
  })
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    return `${file?.text.slice(start, (start ?? 0) + 60)}: ${text}`
  })
  t.same(problems, [])
  t.ok(
    program.getSourceFiles().some(({ fileName }) => fileName.endsWith('methods.d.ts')),
    'the types of the client are read',
  )
})
