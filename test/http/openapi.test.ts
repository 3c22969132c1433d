import t from 'tap'
import { parse } from 'yaml'
import { z } from 'zod'
import { openapiYaml } from '../../src/http/openapi.js'
import { routes } from '../../src/http/v1/routes.js'

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
  .parse(parse(text))

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
