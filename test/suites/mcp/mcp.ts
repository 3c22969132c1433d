/**
 * The MCP conformance suites, each against the endpoint with all they ask for (`mcp-fixture.ts`), and against the product as it is. A
 * scenario counts as passed when every check of it does; what the suites ask of servers that offer more than a mailbox does is explained.
 */
import { startApi } from '../../api/support/api-server.js'
import { serveMcp } from '../../../src/api/mcp/server/server.js'
import { approvedAgent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { fixtureServer } from './mcp-fixture.js'
import { cleaned, runMcpSuite, startBearerProxy, type BearerProxy } from './mcp-run.js'
import { counted, type Suite, type SuiteRun } from '../suite.js'

const OLD = { dir: 'test/conformance/node_modules/conformance-0.1', options: ['--suite', 'all'] }
const NEW = {
  dir: 'test/conformance/node_modules/conformance-0.2',
  options: ['--suite', 'all', '--spec-version', '2026-07-28'],
}

/**
 * Revisions before 2026-07-28 let a server ask its client by a request of its own, whose answer comes as another POST of the same session. The
 * endpoint keeps no sessions: every request stands alone, whatever instance it reaches.
 */
const PUSHED =
  'a request from server to client needs a session, and the endpoint is stateless; 2026-07-28 uses an input_required result instead, which passes'
const STREAMS: Record<string, string> = {
  'server-sse-polling':
    'only a warning that there is no session, which resuming a stream needs; no stream here is closed early',
  'server-sse-multiple-streams': 'only a warning that there is no session; concurrent streams of 2026-07-28 pass',
}
const NO_SESSIONS: Record<string, string> = {
  ...STREAMS,
  'tools-call-sampling': PUSHED,
  'tools-call-elicitation': PUSHED,
  'elicitation-sep1034-defaults': PUSHED,
  'elicitation-sep1330-enums': PUSHED,
}

const against = (proxy: BearerProxy, options: readonly string[]) => ['server', '--url', `${proxy.url}/mcp`, ...options]

function fixtureRun(options: readonly string[]) {
  return (dir: string): Promise<SuiteRun> =>
    cleaned(async (onEnd) => {
      const proxy = await startBearerProxy()
      onEnd(() => proxy.close())
      const deps = {
        allowedOrigins: [proxy.url],
        maxBodyBytes: 1_000_000,
        newRequestId: () => 'req_1',
        onError: (error: unknown) => console.error(error),
      }
      const mcp = serveMcp(deps, () => fixtureServer(mcp.notify))
      onEnd(() => mcp.close())
      const complain = (...said: unknown[]): never => {
        throw new Error(said.map(String).join(' '))
      }
      const api = await startApi({ teardown: onEnd, fail: complain }, { mounts: [mcp.mount] })
      proxy.serve(`http://127.0.0.1:${api.server.port}`, 'good')
      return runMcpSuite(dir, against(proxy, options))
    })
}

function productRun(options: readonly string[], leftOut: Record<string, string>) {
  return (dir: string): Promise<SuiteRun> =>
    cleaned(async (onEnd) => {
      const proxy = await startBearerProxy()
      onEnd(() => proxy.close())
      const daemon = await startDaemon({ 'server.base_url': proxy.url })
      onEnd(() => daemon.remove())
      const agent = await approvedAgent(daemon, 'conformance.agent')
      proxy.serve(daemon.url, agent.key)
      return counted(await runMcpSuite(dir, against(proxy, options)), leftOut)
    })
}

export const mcpFixtureSuites: readonly Suite[] = [
  {
    folder: 'mcp-fixture-2025',
    title: 'MCP: the endpoint, by the suite 0.1.16',
    rule: 'MCP 2025-06-18, 2025-11-25',
    dir: OLD.dir,
    source:
      'The tools, resources and prompts of the suite (`test/suites/mcp/mcp-fixture.ts`), served by the endpoint of the product. 0.1.16 is the newest release of the suite; it supports revisions up to 2025-11-25.',
    size: 32,
    explanations: NO_SESSIONS,
    run: fixtureRun(OLD.options),
  },
  {
    folder: 'mcp-fixture-2026',
    title: 'MCP: the endpoint, by the suite 0.2.0-alpha.12',
    rule: 'MCP 2026-07-28',
    dir: NEW.dir,
    source: 'The same with the pre-release of the suite for 2026-07-28, including checks that it does not score.',
    size: 40,
    explanations: {},
    run: fixtureRun(NEW.options),
  },
]

/** What the suites call by names of their own; that the endpoint can do it is what the fixture shows. */
const TOOL = 'calls tools that only a test server has; passes above'
const RESOURCE = 'reads resources that only a test server has; passes above'
const PROMPT = 'requests prompts that only a test server has; passes above'
const ASKS_NOTHING = 'a mailbox requests nothing from the client during a call; passes above'
const LOGS_NOTHING = 'nothing is logged to clients (deprecated since 2026-07-28)'

/** Cases by the reason for which they are left out. */
const because = (why: string, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, why]))
const prefixed = (prefix: string, ...names: string[]): string[] => names.map((name) => `${prefix}-${name}`)

/** What neither revision can show with a mailbox. */
const NOT_A_MAILBOX: Record<string, string> = {
  ...because(
    TOOL,
    'json-schema-2020-12',
    ...prefixed(
      'tools-call',
      'simple-text',
      'image',
      'audio',
      'embedded-resource',
      'mixed-content',
      'error',
      'with-progress',
    ),
  ),
  ...because('a mailbox has nothing to complete', 'completion-complete'),
  ...because(RESOURCE, ...prefixed('resources', 'read-text', 'read-binary', 'templates-read')),
  ...because(PROMPT, ...prefixed('prompts-get', 'simple', 'with-args', 'embedded-resource', 'with-image')),
}

const NOT_IN_2025 = {
  ...NOT_A_MAILBOX,
  ...because(ASKS_NOTHING, 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'),
  ...because(ASKS_NOTHING, ...prefixed('tools-call', 'sampling', 'elicitation')),
  ...because(LOGS_NOTHING, 'logging-set-level', 'tools-call-with-logging'),
  ...because(
    'a mailbox reports new mail by events, not by subscriptions',
    'resources-subscribe',
    'resources-unsubscribe',
  ),
}

const NOT_IN_2026 = {
  ...NOT_A_MAILBOX,
  ...because(
    ASKS_NOTHING,
    ...prefixed('input-required-result-basic', 'elicitation', 'sampling', 'list-roots'),
    ...prefixed(
      'input-required-result',
      'request-state',
      'multiple-input-requests',
      'multi-round',
      'missing-input-response',
    ),
    ...prefixed('input-required-result', 'non-tool-request', 'result-type', 'tampered-state', 'capability-check'),
    'input-required-result-ignore-extra-params',
  ),
  ...because('no tool takes a parameter in a header; passes above', 'http-custom-header-server-validation'),
}

export const mcpProductSuites: readonly Suite[] = [
  {
    folder: 'mcp-product-2025',
    title: 'MCP: a mailbox, by the suite 0.1.16',
    rule: 'MCP 2025-06-18, 2025-11-25',
    dir: OLD.dir,
    source: 'The daemon, with the key of an approved mailbox.',
    size: 32 - Object.keys(NOT_IN_2025).length,
    explanations: STREAMS,
    leftOut: NOT_IN_2025,
    run: productRun(OLD.options, NOT_IN_2025),
  },
  {
    folder: 'mcp-product-2026',
    title: 'MCP: a mailbox, by the suite 0.2.0-alpha.12',
    rule: 'MCP 2026-07-28',
    dir: NEW.dir,
    size: 40 - Object.keys(NOT_IN_2026).length,
    explanations: {
      'server-stateless': `the failed checks call tools that only a test server has; they pass above`,
    },
    leftOut: NOT_IN_2026,
    run: productRun(NEW.options, NOT_IN_2026),
  },
]
