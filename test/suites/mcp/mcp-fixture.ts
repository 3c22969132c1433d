/**
 * What the MCP conformance suites ask a server for, and no mailbox has: tools, resources and prompts by the names that they call. It is
 * served by the product's own endpoint, so what the suites try is how that speaks the protocol.
 */
import { randomBytes } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type CallToolResult,
  type ContentBlock,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { JSON_SCHEMA_2020_12 } from './mcp-fixture-schema.js'

/** One red pixel. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A WAV file without a sample. */
const AUDIO = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

const text = (words: string): ContentBlock => ({ type: 'text', text: words })
const says = (...content: ContentBlock[]): CallToolResult => ({ content })
const image: ContentBlock = { type: 'image', data: IMAGE, mimeType: 'image/png' }

/** State that a client carries between two rounds: what it changed is refused. */
const state = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) })

const ask = (message: string, field: string, answer: z.ZodType = z.string()) =>
  inputRequired.elicit({ message, requestedSchema: z.object({ [field]: answer }) })
const sample = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens: 100,
  })

/** What a tool says once every question of its one round has its answer; the questions again until then. */
function afterAnswers(ctx: ServerContext, inputRequests: InputRequests): CallToolResult | InputRequiredResult {
  const kinds = Object.keys(inputRequests).map((key) => inputResponse(ctx.mcpReq.inputResponses, key).kind)
  if (kinds.includes('missing')) return inputRequired({ inputRequests })
  return says(text(`Answered: ${JSON.stringify(ctx.mcpReq.inputResponses)}`))
}

const Envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ sampling: z.object({}).optional(), elicitation: z.object({}).optional() }),
})

/** What the client of this request can do. */
const abilities = ({ mcpReq }: ServerContext) =>
  Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY] ?? {}

type Run = (
  ctx: ServerContext,
  notify: ServerNotifier,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>

const TOOLS: Record<string, Run> = {
  test_simple_text: () => says(text('This is a simple text response for testing.')),
  test_image_content: () => says(image),
  test_audio_content: () => says({ type: 'audio', data: AUDIO, mimeType: 'audio/wav' }),
  test_embedded_resource: () =>
    says({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  test_multiple_content_types: () =>
    says(text('Multiple content types test:'), image, {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    }),
  test_error_handling() {
    throw new Error('This tool intentionally returns an error for testing')
  },
  async test_tool_with_logging({ mcpReq }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', data)
    }
    return says(text('logged'))
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'said only to those who set a level')
    return says(text('logged'))
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken === undefined) return says(text('nobody asked for progress'))
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    }
    return says(text('done'))
  },
  test_reconnection: () => says(text('answered at once')),
  test_trigger_tool_change: (_, notify) => {
    notify.toolsChanged()
    return says(text('told'))
  },
  test_trigger_prompt_change: (_, notify) => {
    notify.promptsChanged()
    return says(text('told'))
  },
  // The endpoint itself refuses a client that did not say that it can sample.
  test_missing_capability: (ctx) => afterAnswers(ctx, { question: sample('What is the capital of France?') }),
  test_streaming_elicitation: (ctx) => afterAnswers(ctx, { name: ask('What is your name?', 'name') }),
  test_input_required_result_elicitation: (ctx) => afterAnswers(ctx, { user_name: ask('What is your name?', 'name') }),
  test_input_required_result_sampling: (ctx) =>
    afterAnswers(ctx, { capital_question: sample('What is the capital of France?') }),
  test_input_required_result_list_roots: (ctx) => afterAnswers(ctx, { client_roots: inputRequired.listRoots() }),
  async test_input_required_result_request_state({ mcpReq }) {
    if (mcpReq.requestState<{ round: number }>()?.round === 1) return says(text('state-ok'))
    const inputRequests = { confirm: ask('Please confirm', 'ok', z.boolean()) }
    return inputRequired({ inputRequests, requestState: await state.mint({ round: 1 }) })
  },
  async test_input_required_result_tampered_state({ mcpReq }) {
    if (mcpReq.requestState<{ round: number }>()?.round === 1) return says(text('state-ok'))
    const inputRequests = { confirm: ask('Please confirm', 'ok', z.boolean()) }
    return inputRequired({ inputRequests, requestState: await state.mint({ round: 1 }) })
  },
  async test_input_required_result_multiple_inputs({ mcpReq }) {
    if (mcpReq.requestState<{ round: number }>()?.round === 1) return says(text('All three came.'))
    const inputRequests = {
      user_name: ask('What is your name?', 'name'),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    }
    return inputRequired({ inputRequests, requestState: await state.mint({ round: 1 }) })
  },
  async test_input_required_result_multi_round({ mcpReq }) {
    const round = mcpReq.requestState<{ round: number }>()?.round ?? 0
    if (round === 2) return says(text('Both steps are done.'))
    const inputRequests: InputRequests =
      round === 0
        ? { step1: ask('Step 1: What is your name?', 'name') }
        : { step2: ask('Step 2: What is your favourite colour?', 'color') }
    return inputRequired({ inputRequests, requestState: await state.mint({ round: round + 1 }) })
  },
  test_input_required_result_capabilities(ctx) {
    const can = abilities(ctx)
    return afterAnswers(ctx, {
      ...(can.sampling && { question: sample('What is the capital of France?') }),
      ...(can.elicitation && { user_name: ask('What is your name?', 'name') }),
    })
  },
}

/** Tools that ask the client something by a request of their own, as they could before 2026-07-28. */
const PUSHED: Record<string, (ctx: ServerContext) => Promise<unknown>> = {
  test_sampling: ({ mcpReq }) =>
    mcpReq.requestSampling(
      { messages: [{ role: 'user', content: { type: 'text', text: 'Test prompt' } }], maxTokens: 100 },
      { timeout: 1000 },
    ),
  ...Object.fromEntries(
    ['test_elicitation', 'test_elicitation_sep1034_defaults', 'test_elicitation_sep1330_enums'].map((name) => [
      name,
      ({ mcpReq }: ServerContext) =>
        mcpReq.elicitInput(
          { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
          { timeout: 1000 },
        ),
    ]),
  ),
}

/** @param notify of the endpoint that serves it */
export function fixtureServer(notify: ServerNotifier): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: state.verify },
    },
  )
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: `${name} of the suites` }, (ctx) => run(ctx, notify))
  }
  for (const [name, run] of Object.entries(PUSHED)) {
    server.registerTool(name, { description: `${name} of the suites` }, async (ctx) =>
      says(text(JSON.stringify(await run(ctx)))),
    )
  }
  server.registerTool(
    'test_header_parameter',
    {
      description: 'A parameter that stands in a header too',
      inputSchema: z.object({ region: z.string().optional().meta({ 'x-mcp-header': 'Region' }) }),
    },
    ({ region }) => says(text(`region ${region}`)),
  )
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'A schema with all that a schema may have', inputSchema: fromJsonSchema(JSON_SCHEMA_2020_12) },
    (args) => says(text(JSON.stringify(args))),
  )
  resources(server)
  prompts(server)
  return server
}

function resources(server: McpServer): void {
  for (const [name, mimeType, content] of [
    ['static-text', 'text/plain', { text: 'This is the content of the static text resource.' }],
    ['static-binary', 'image/png', { blob: IMAGE }],
    ['watched-resource', 'text/plain', { text: 'Watched.' }],
  ] as const) {
    server.registerResource(name, `test://${name}`, { mimeType }, ({ href }) => ({
      contents: [{ uri: href, mimeType, ...content }],
    }))
  }
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => ({
    contents: [
      { uri: href, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ID: ${String(id)}` }) },
    ],
  }))
  // Nothing is kept between two requests: changes are told to those who listen (subscriptions/listen).
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function prompts(server: McpServer): void {
  const said = (...contents: ContentBlock[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  })
  const argument = z.string()
  server.registerPrompt('test_simple_prompt', { description: 'Of the suites' }, () =>
    said(text('This is a simple prompt for testing.')),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Of the suites',
      argsSchema: z.object({ arg1: completable(argument, () => ['test']), arg2: argument }),
    },
    ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Of the suites', argsSchema: z.object({ resourceUri: argument }) },
    ({ resourceUri }) =>
      said(
        { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' } },
        text('Please process the embedded resource above.'),
      ),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Of the suites' }, () =>
    said(image, text('Please analyse the image above.')),
  )
  server.registerPrompt('test_input_required_result_prompt', { description: 'Of the suites' }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'user_context')
    if (answer.kind !== 'missing') return said(text(JSON.stringify(answer)))
    return inputRequired({
      inputRequests: { user_context: ask('What context should the prompt use?', 'context') },
    })
  })
}
