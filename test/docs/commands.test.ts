/**
 * Every command in the documentation: each file with blocks of commands says by which test they are run; and each command of
 * restante and each call of the API in any of them is one that there is, with options that it takes.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { z } from 'zod'
import { allCommands } from '../../src/cli/catalogue.js'
import { parseCommandLine, readWords } from '../../src/cli/terminal/command.js'
import { run } from '../support/daemon.js'

/** What runs the blocks of a file. */
const FILES: Record<string, { test: string }> = {
  'README.md': { test: 'test/docs/story.test.ts' },
  'docs/accounts.md': { test: 'test/docs/story.test.ts' },
  'docs/claims.md': { test: 'test/docs/solvers.test.ts' },
  'docs/cluster.md': { test: 'test/scenarios/operations/46-second-shape.test.ts' },
  'docs/deliverability.md': { test: 'test/docs/deliverability.test.ts' },
  'docs/install.md': { test: 'test/docs/install.test.ts' },
  'docs/mcp.md': { test: 'test/docs/mcp.test.ts' },
  'docs/operations.md': { test: 'test/docs/operations.test.ts' },
  'docs/queue.md': { test: 'test/docs/story.test.ts' },
  'docs/receiving.md': { test: 'test/docs/story.test.ts' },
  'docs/reports.md': { test: 'test/docs/story.test.ts' },
  'docs/tls.md': { test: 'test/docs/story.test.ts' },
  'docs/webhooks.md': { test: 'test/docs/guide.test.ts' },
}

const ROOT = process.cwd()
const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']
for (const name of await readdir(join(ROOT, 'docs'))) if (name.endsWith('.md')) documents.push(`docs/${name}`)

/** Simple commands of the blocks of a file, without comments; a quoted text of several lines stands as one. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|console|bash|shell)\n([^]*?)^ *```$/gm)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .replace(/\\\n\s*/g, ' ')
      .replace(/'[^']*'/g, (quoted) => (quoted.includes('\n') ? "'…'" : quoted))
      .split('\n')
      .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
      .filter((line) => line !== '')
      .flatMap((line) => line.split(/ (?:&&|\|\||\|) /)),
  )
}

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''))

const blocks = new Map<string, string[]>()
for (const name of documents) {
  const commands = commandsOf(await readFile(join(ROOT, name), 'utf8'))
  if (commands.length > 0) blocks.set(name, commands)
}

t.test('each file with commands has a test that runs them', async (t) => {
  t.same([...blocks.keys()].sort(), Object.keys(FILES).sort())
  for (const [name, { test }] of Object.entries(FILES))
    t.match(await readFile(join(ROOT, test), 'utf8'), name.replace('docs/', ''), `${test} reads ${name}`)
})

t.test('each command of restante is one, and takes what it is given', async (t) => {
  const known = await allCommands()
  let found = 0
  for (const [name, commands] of blocks)
    for (const command of commands) {
      const words = wordsOf(command)
      const at = words.findIndex((word) => /^(?:\S*\/)?restante$/.test(word))
      if (at === -1 || !words.slice(0, at).every((word) => /^(?:sudo|-u|restante|\w+=.*)$/.test(word))) continue
      t.doesNotThrow(() => parseCommandLine(readWords(words.slice(at + 1)), known), `${name}: ${command}`)
      found++
    }
  t.ok(found > 20, `${found} commands`)
})

t.test('each call of the API leads to a route', async (t) => {
  const described = await run(join(ROOT, 'bin/restante'), ['openapi', '--json'])
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(JSON.parse(described.stdout))
  const forms = Object.entries(paths).map(([path, methods]) => ({
    form: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    methods: Object.keys(methods),
  }))
  let found = 0
  for (const [name, commands] of blocks)
    for (const command of commands) {
      const words = wordsOf(command)
      const url = words.find((word) => /\/v1\//.test(word))
      if (!words[0]?.startsWith('curl') || url === undefined) continue
      const path = url.replace(/^.*?(?=\/v1\/)/, '').replace(/\?.*/, '')
      const method = (words[words.indexOf('-X') + 1] ?? '').toLowerCase()
      const used = words.includes('-X') ? method : words.includes('-d') ? 'post' : 'get'
      t.ok(
        forms.some(({ form, methods }) => form.test(path) && methods.includes(used)),
        `${name}: ${used} ${path}`,
      )
      found++
    }
  t.ok(found > 8, `${found} calls`)
})
