/** Errors name the next step as a tool or a human: a client of MCP may have nothing else. */
import t from 'tap'
import { ERROR_STATUS, ServiceError, type ErrorCode } from '../../../src/lib/errors.js'
import { getPrompt } from '../../../src/api/mcp/server/prompts.js'
import { readResource } from '../../../src/api/mcp/server/resources.js'
import { TOOL_LIST } from '../../../src/api/mcp/tools/tools.js'
import { fakes, MESSAGE } from '../support/fakes.js'
import { EVERY_CALL } from './every-call.js'
import { hostileDomain } from './hostile-domain.js'
import { runTool, textOf, toolDeps } from './run-tool.js'

const CODES = Object.keys(ERROR_STATUS).filter((code): code is ErrorCode => code in ERROR_STATUS)
const REST = /\/v1|\b(GET|POST|PUT|PATCH|DELETE)\b|Idempotency-Key|Retry-After/
const NAMES = TOOL_LIST.map(({ name }) => name).join('|')
const STEP = new RegExp(
  `\\b(${NAMES}|human|tool|idempotency_key|offset)\\b|Leave the address out|Make the text shorter`,
)

/** Whatever a tool asks of the domain, it gets this error. */
function failing(error: unknown) {
  const domain = fakes()
  const fail = async (): Promise<never> => {
    throw error
  }
  const all = (object: object) => new Proxy(object, { get: () => fail })
  const rooms = Object.entries(domain.mailboxes).map(([name, room]) => [
    name,
    typeof room === 'object' ? all({}) : fail,
  ])
  return {
    mailboxes: Object.fromEntries(rooms),
    claims: Object.create(all(domain.claims)),
    accounts: { ...domain.accounts, usage: fail },
    suppressions: { list: fail, remove: fail },
  }
}

t.test('every tool, every error: the code, what was wrong, and a next step that is no call of /v1', async (t) => {
  const hints = [
    'List what there is with GET /v1/threads.',
    'Send the `Idempotency-Key` again after `Retry-After` with PATCH.',
  ]
  for (const code of CODES) {
    const wrong: string[] = []
    for (const { tool, args } of EVERY_CALL) {
      for (const hint of hints) {
        const fields = [{ field: 'to', problem: 'It is wrong.' }]
        const error = new ServiceError(code, `This Idempotency-Key says ${code}.`, hint, {
          fields,
          retryAfterSeconds: 7,
        })
        const answer = await runTool(toolDeps(failing(error)), tool, args)
        const text = textOf(answer)
        const next = text.slice(text.lastIndexOf('\nNext: '))
        const isGood =
          answer.isError === true &&
          text.startsWith(`${code}: `) &&
          text.includes('\n- to: It is wrong.') &&
          next.includes('Wait 7 seconds first.') &&
          STEP.test(next) &&
          !REST.test(text)
        if (!isGood) wrong.push(`${tool}: ${text}`)
      }
    }
    t.strictSame(wrong, [], code)
  }
})

t.test('a hint of the domain that sends nobody to /v1 is kept: it knows the case', async (t) => {
  const error = new ServiceError('invalid_request', 'A label is not well-formed.', 'Use lower-case letters.')
  const answer = await runTool(toolDeps(failing(error)), 'label', { message_id: MESSAGE, add_labels: ['A'] })
  t.equal(textOf(answer), 'invalid_request: A label is not well-formed.\nNext: Use lower-case letters.')
})

t.test('nothing that a tool lists or says names a call of /v1', async (t) => {
  t.notMatch(JSON.stringify(TOOL_LIST), REST)
  for (const { tool, args, message, file } of EVERY_CALL) {
    const domain = hostileDomain('Hello')
    domain.change({ ...(message && { message }), ...(file && { file }) })
    t.notMatch(JSON.stringify(await runTool(toolDeps(domain), tool, args)), REST, tool)
  }
})

t.test('a fault of ours says nothing of its inside', async (t) => {
  const told: unknown[] = []
  const deps = { ...toolDeps(failing(new Error('secret inside'))), onError: (error: unknown) => told.push(error) }
  const answer = await runTool(deps, 'usage')
  t.match(textOf(answer), /^internal: [^]*req_1[^]*\nNext: Try again in a minute/)
  t.notMatch(textOf(answer), /secret/)
  t.match(told, [{ message: 'secret inside' }])
})

t.test('prompts and resources answer errors of the protocol, with the same words', async (t) => {
  const domain = fakes()
  const good = await domain.accounts.authenticate('good')
  const pending = await domain.accounts.authenticate('pending')
  if (!good || !pending) throw new Error('there are no such keys')
  const deps = toolDeps(domain)
  const INVALID = -32602
  await t.rejects(getPrompt('nothing', {}, deps, good), { code: INVALID, message: /no prompt "nothing"/ })
  await t.rejects(getPrompt('draft_an_answer', {}, deps, good), {
    code: INVALID,
    message: /one of message_id, thread_id/,
  })
  await t.rejects(getPrompt('triage_inbox', { message_id: MESSAGE }, deps, good), {
    code: INVALID,
    message: /no argument/,
  })
  const unknown = getPrompt('draft_an_answer', { message_id: 'msg_x' }, deps, good)
  await t.rejects(unknown, {
    code: INVALID,
    message: /^not_found: [^]*Next: Take the id from an answer of check_inbox/,
  })
  await t.rejects(getPrompt('triage_inbox', {}, deps, pending), {
    code: INVALID,
    message: /^claim_pending: [^]*claim_status/,
  })
  await t.rejects(readResource('mailbox://nothing', deps, good), { message: /mailbox:\/\/nothing/ })
  await t.rejects(readResource('mailbox://usage', deps, pending), { code: INVALID, message: /^claim_pending/ })
  const { contents } = await readResource('mailbox://usage', deps, good)
  t.match(contents, [{ uri: 'mailbox://usage', mimeType: 'application/json', text: /"trust_level": 0/ }])
  const broken = { ...toolDeps(failing(new Error('secret inside'))), onError: () => undefined }
  await t.rejects(readResource('mailbox://usage', broken, good), { code: -32603, message: /^internal: [^]*\(req_1\)$/ })
  await t.rejects(getPrompt('triage_inbox', {}, broken, good), { code: -32603, message: /^(?![^]*secret)/ })
})
