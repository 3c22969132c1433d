import t from 'tap'
import { parse } from 'yaml'
import { z } from 'zod'
import { openapiDocument, openapiTexts, openapiYaml } from '../../../src/http/routing/openapi.js'
import { routes } from '../../../src/api/v1-routes.js'
import { withReferencesFollowed } from '../../clients/openapi.js'

const text = openapiYaml(routes, { version: '1.2.3', baseUrl: 'https://mail.example.com' })
const operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
})
const document = z
  .object({
    openapi: z.string(),
    info: z.looseObject({ version: z.string() }),
    servers: z.array(z.object({ url: z.string() })),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
  })
  .parse(withReferencesFollowed(parse(text)))

t.test('the description covers every route, and nothing else', async (t) => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  t.same(described.sort(), routes.map((route) => `${route.method} ${route.path}`).sort())
  const ids = routes.map((route) => route.operationId)
  t.equal(new Set(ids).size, ids.length, 'every operation has its own id')
  t.equal(document.openapi, '3.1.0')
  t.equal(document.info.version, '1.2.3')
  t.same(document.servers, [{ url: 'https://mail.example.com' }])
})

t.test('every reference leads somewhere, and every segment in braces is a parameter', async (t) => {
  for (const [, section = '', name = ''] of text.matchAll(/\$ref: "#\/components\/(\w+)\/(\w+)"/g)) {
    const components = document.components[section]
    t.ok(typeof components === 'object' && components !== null && name in components, `${section}/${name}`)
  }
  t.match(text, /#\/components\/schemas\/Message"/)
  t.notMatch(text, /\$defs/)
  for (const [path, methods] of Object.entries(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    for (const { parameters = [] } of Object.values(methods)) {
      t.same(
        parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
        inPath,
        path,
      )
    }
  }
})

t.test('every tag, and every status of an error, is explained', async (t) => {
  const explained = z
    .object({ tags: z.array(z.object({ name: z.string(), description: z.string() })) })
    .parse(parse(text))
  for (const { tag, operationId } of routes)
    t.ok(
      explained.tags.some(({ name }) => name === tag),
      `${operationId}: ${tag}`,
    )
  const described = document.paths['/v1/messages/{id}/raw']?.['get']?.responses['416']
  t.match(described, { description: /^The range .*range_not_satisfiable/s })
})

t.test('a call that needs a key says so, with what is refused without one', async (t) => {
  for (const route of routes) {
    const described = document.paths[route.path]?.[route.method.toLowerCase()]
    t.equal(described?.security.length, route.auth === 'none' ? 0 : 1, route.operationId)
    t.equal('401' in (described?.responses ?? {}), route.auth !== 'none', route.operationId)
  }
  t.match(document.paths['/v1/claim']?.['post']?.responses['409'], { description: /name_taken/ })
})

t.test('every request and every answer has an example, and it is one that its schema takes', async (t) => {
  for (const { operationId, params, query, body, example, responses } of routes) {
    const problems = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues
    if (params) t.equal(problems(params, example.params), undefined, `${operationId}: path`)
    if (query && example.query) t.equal(problems(query, example.query), undefined, `${operationId}: query`)
    if (body) t.equal(problems(body, example.body), undefined, `${operationId}: body`)
    for (const [status, { schema, example }] of Object.entries(responses)) {
      if (schema) t.equal(problems(schema, example), undefined, `${operationId}: ${status}`)
    }
  }
})

t.test('an error answer stands there once, and every operation refers to it', async (t) => {
  const raw = z
    .object({
      paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))),
      components: z.object({
        responses: z.record(z.string(), z.object({ description: z.string().min(10), content: z.unknown().optional() })),
      }),
    })
    .parse(parse(text))
  const used = new Set<string>()
  for (const { responses } of Object.values(raw.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, answer] of Object.entries(responses)) {
      if (Number(status) < 300) continue
      const { $ref } = z.strictObject({ $ref: z.string().startsWith('#/components/responses/') }).parse(answer)
      used.add($ref.replace('#/components/responses/', ''))
    }
  }
  t.same([...used].sort(), Object.keys(raw.components.responses).sort(), 'each of them is used')
  const written = Object.values(raw.components.responses).map((each) => JSON.stringify(each))
  t.equal(new Set(written).size, written.length, 'none stands there twice')
})

t.test('YAML and JSON say the same, and are made while others have their turn', async (t) => {
  let turns = 0
  const info = { version: '1.2.3', baseUrl: 'https://mail.example.com' }
  const texts = await openapiTexts(routes, info, async () => void turns++)
  t.equal(texts.yaml, text)
  t.same(JSON.parse(texts.json), openapiDocument(routes, info))
  t.same(parse(texts.yaml), JSON.parse(texts.json))
  t.ok(turns > routes.length * 2, `${turns} turns`)
})
