/** What the tools say of themselves, and whether their answers keep to it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { TOOL_LIST, TOOLS } from '../../../src/api/mcp/tools/tools.js'
import { EVERY_CALL } from './every-call.js'
import { hostileDomain } from './hostile-domain.js'
import { runTool, textOf, toolDeps } from './run-tool.js'
import { TOOL_NAMES } from '../../support/tool-names.js'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
const schemaOf = (name: string) => {
  const tool = TOOL_LIST.find((each) => each.name === name)
  if (!tool?.outputSchema) throw new Error(`no schema for ${name}`)
  return { input: ajv.compile(tool.inputSchema), output: ajv.compile(tool.outputSchema) }
}

/** Paths of the objects of a schema that let anything in. */
function openObjects(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const here =
    'type' in schema &&
    schema.type === 'object' &&
    !('additionalProperties' in schema && schema.additionalProperties === false)
  return [
    ...(here ? [path] : []),
    ...Object.entries(schema).flatMap(([key, inner]) => openObjects(inner, `${path}.${key}`)),
  ]
}

t.test('the tools, in their order', async (t) => {
  t.strictSame(
    TOOL_LIST.map(({ name }) => name),
    TOOL_NAMES,
  )
})

t.test('every tool says what it takes, answers and does', async (t) => {
  for (const { name, title, description, inputSchema, outputSchema, annotations } of TOOL_LIST) {
    t.match(title, /^[A-Z][a-z ]+$/, name)
    t.ok(description && description.length < 120, `${name}: ${description}`)
    t.strictSame(openObjects(inputSchema, 'input'), [], name)
    t.strictSame(openObjects(outputSchema, 'output'), [], name)
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {}
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]) t.type(hint, 'boolean', name)
  }
})

/** Paths of the schemas that have a list of types, which some clients and models do not take. */
function typeLists(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const here = 'type' in schema && Array.isArray(schema.type)
  return [
    ...(here ? [path] : []),
    ...Object.entries(schema).flatMap(([key, inner]) => typeLists(inner, `${path}.${key}`)),
  ]
}

t.test('no schema has a list of types', async (t) => {
  for (const { name, inputSchema, outputSchema } of TOOL_LIST)
    t.strictSame(typeLists({ inputSchema, outputSchema }, name), [])
})

t.test('annotations go with scopes: what only reads needs no leave to write, what sends reaches others', async (t) => {
  for (const { name, scope, annotations } of TOOLS) {
    const takes = [scope ?? []].flat()
    if (name === 'check_before_sending') t.ok(annotations.readOnlyHint, 'a dry run changes nothing')
    else t.equal(annotations.readOnlyHint, !takes.some((each) => each !== 'mail:read'), name)
    const sends = takes.includes('mail:send') && !['check_before_sending', 'cancel_send'].includes(name)
    t.equal(annotations.openWorldHint, sends, name)
    if (annotations.readOnlyHint) t.notOk(annotations.destructiveHint, name)
  }
})

t.test('what each tool answers is what it says, and nothing else', async (t) => {
  for (const { tool, args, message, file } of EVERY_CALL) {
    const domain = hostileDomain('Hello')
    domain.change({ ...(message && { message }), ...(file && { file }) })
    const answer = await runTool(toolDeps(domain), tool, args)
    const name = `${tool} ${JSON.stringify(args).slice(0, 80)}`
    t.notOk(answer.isError, `${name}: ${textOf(answer)}`)
    const { input, output } = schemaOf(tool)
    t.ok(input(args), `${name}: ${JSON.stringify(input.errors)}`)
    t.ok(output(answer.structuredContent), `${name}: ${JSON.stringify(output.errors)}`)
    t.notOk(
      output(Object.assign({}, answer.structuredContent, { more: 1 })),
      `${name} with a field that it does not name`,
    )
  }
  t.strictSame(new Set(EVERY_CALL.map(({ tool }) => tool)), new Set(TOOL_LIST.map(({ name }) => name)))
})

t.test('a field that a tool does not have is refused by name', async (t) => {
  for (const { name } of TOOL_LIST) {
    const answer = await runTool(toolDeps(hostileDomain('Hello')), name, { surely_unknown: 1 })
    t.ok(answer.isError, name)
    t.match(textOf(answer), /^invalid_request: [^]*\n- surely_unknown: There is no such field[^]*\nNext: /, name)
  }
})
