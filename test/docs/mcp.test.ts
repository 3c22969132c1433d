/**
 * docs/mcp.md and the guide tell clients the same: each snippet is read in its own form, and has to lead to the endpoint and send the key as that
 * takes it. `UPDATE_DOCS=1` writes what is made.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import t from 'tap'
import { scopesIn } from '../../src/http/limits/authorize.js'
import { blockMarkdown, pageMarkdown } from '../../src/web/guide/markdown.js'
import { clientBlocks } from '../../src/web/guide/mcp-clients.js'
import { mcpPage } from '../../src/web/guide/mcp.js'
import { TOOLS } from '../../src/api/mcp/tools/tools.js'

const FILE = 'docs/mcp.md'
const BASE = 'https://mail.example.org'

const clients = clientBlocks(`${BASE}/mcp`)
  .map((block) =>
    typeof block !== 'string' && block.kind === 'heading' ? `#${blockMarkdown(block)}` : blockMarkdown(block),
  )
  .join('\n\n')

const tools = [
  '| tool | what it does | scopes |',
  '| --- | --- | --- |',
  ...TOOLS.map((tool) => {
    const scopes = scopesIn(tool.scope).map((scope) => `\`${scope}\``)
    return `| \`${tool.name}\` | ${tool.description.replaceAll('|', '\\|')} | ${scopes.join(', ') || 'none'} |`
  }),
].join('\n')

t.test('docs/mcp.md has the clients and the tools there are', async (t) => {
  const text = readFileSync(FILE, 'utf8')
  const made = [
    ['clients', clients],
    ['tools', tools],
  ].reduce(
    (all, [name, part]) =>
      all.replace(
        new RegExp(`(<!-- ${name}: [^>]*-->\n)[^]*?(<!-- /${name} -->)`),
        (_all, head: string, tail: string) => `${head}\n${part}\n\n${tail}`,
      ),
    text,
  )
  if (process.env['UPDATE_DOCS']) writeFileSync(FILE, made)
  t.match(text, /<!-- clients: /)
  t.match(text, /<!-- tools: /)
  t.equal(made, text, 'docs/mcp.md is stale: UPDATE_DOCS=1 npm test -- docs/mcp')
})

t.test('the guide of a running server has the same snippets, with its own URL', async (t) => {
  const page = pageMarkdown(mcpPage({ baseUrl: BASE, domain: 'agents.example' }))
  for (const block of clientBlocks(`${BASE}/mcp`)) t.ok(page.includes(blockMarkdown(block)))
})

/** What a client would take from a snippet: everywhere it connects to, and what it sends along. */
function taken(value: unknown): { urls: string[]; bearers: string[] } {
  const found = { urls: [] as string[], bearers: [] as string[] }
  const look = (key: string, each: unknown): void => {
    if (typeof each === 'object' && each !== null) for (const [name, inner] of Object.entries(each)) look(name, inner)
    if (typeof each !== 'string') return
    if (/^https?:/.test(each)) found.urls.push(each)
    if (/^authorization$/i.test(key)) found.bearers.push(each)
    if (key === 'bearer_token_env_var') found.bearers.push(`Bearer $${each}`)
  }
  look('', value)
  return found
}

/** A command as a shell takes it apart, or a bare URL. */
function words(line: string): object {
  const all = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const header = all[all.indexOf('--header') + 1] ?? ''
  const [, value] = all.includes('--header') ? (/^Authorization: (.*)$/.exec(header) ?? [undefined, 'no header']) : []
  return {
    words: all.filter((word) => word !== header || !all.includes('--header')),
    ...(value !== undefined && { Authorization: value }),
  }
}

t.test('every snippet is well formed, leads to the endpoint, and sends a key where it says so', async (t) => {
  let isForKey = false
  let name = ''
  let count = 0
  for (const block of clientBlocks(`${BASE}/mcp`)) {
    if (typeof block === 'string') {
      isForKey = block === 'With a key:'
      continue
    }
    if (block.kind === 'heading') name = block.text
    if (block.kind !== 'code') continue
    count++
    const read = { json: JSON.parse, toml: parseToml, text: words }[block.language as 'json' | 'toml' | 'text']
    const { urls, bearers } = taken(read(block.text))
    t.strictSame(urls, [`${BASE}/mcp`], `${name}: ${block.text}`)
    t.equal(bearers.length, isForKey ? 1 : 0, name)
    for (const bearer of bearers)
      t.match(bearer, /^Bearer (\$RESTANTE_KEY|\$\{env:RESTANTE_KEY\}|\$\{input:restante_key\}|<api_key>)$/, name)
  }
  t.equal(count, 17)
})
