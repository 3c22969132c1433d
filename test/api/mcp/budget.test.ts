/** What the tools cost a model, counted with the tokenizer `o200k_base`. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { TOOL_LIST } from '../../../src/api/mcp/tools/tools.js'
import { fakes } from '../support/fakes.js'
import { tenConversations } from './mails.js'
import { runTool, textOf, toolDeps } from './run-tool.js'

const tokens = (value: unknown): number => encode(typeof value === 'string' ? value : JSON.stringify(value)).length

t.test('the list of all tools, as it is sent, is under 6,500 tokens', async (t) => {
  const total = tokens({ tools: TOOL_LIST })
  t.comment(`${TOOL_LIST.length} tools: ${total} tokens`)
  for (const tool of TOOL_LIST) t.comment(`${tool.name}: ${tokens(tool)}`)
  t.ok(total < 6500, `${total} tokens`)
  t.ok(total > 1000, 'something was counted')
})

t.test('check_inbox with ten new mails is under 1,500 tokens, as text and as data', async (t) => {
  const domain = fakes()
  const threads = tenConversations()
  domain.mailboxes.reading.threads = async () => ({ data: threads, has_more: false, next_cursor: null })
  const answer = await runTool(toolDeps(domain), 'check_inbox')
  const text = textOf(answer)
  for (const { id, subject } of threads) t.ok(text.includes(id) && text.includes(subject), subject)
  const { structuredContent } = answer
  t.comment(`as text: ${tokens(text)} tokens; as data: ${tokens(structuredContent)} tokens`)
  t.ok(tokens(text) < 1500, `${tokens(text)} tokens`)
  t.ok(tokens(structuredContent) < 1500, `${tokens(structuredContent)} tokens`)
})
