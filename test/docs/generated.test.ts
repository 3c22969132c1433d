/** Documents that are made from the code are current. `UPDATE_DOCS=1 npx tap test/docs` writes them anew. */
import t, { type Test } from 'tap'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/main.js'
import { commandHelp, overview } from '../../src/cli/help.js'
import { MINUTE } from '../../src/lib/clock.js'
import { RETRY_WAITS_MS } from '../../src/relay/schedule.js'

const docs = join(process.cwd(), 'docs')

async function check(t: Test, file: string, wanted: (current: string) => string): Promise<void> {
  const path = join(docs, file)
  const current = await readFile(path, 'utf8').catch(() => '')
  const fresh = wanted(current)
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, fresh)
  else t.equal(current, fresh, `docs/${file} is stale: UPDATE_DOCS=1 npx tap test/docs`)
}

const duration = (ms: number) => (ms < 60 * MINUTE ? `${ms / MINUTE} min` : `${ms / (60 * MINUTE)} h`)

function retryTable(): string {
  let total = 0
  const rows = RETRY_WAITS_MS.map((wait, i) => {
    total += wait
    const hours = total / (60 * MINUTE)
    return `| ${i + 1} | ${duration(wait)} | ${total < 60 * MINUTE ? duration(total) : `${Math.round(hours * 10) / 10} h`} |`
  })
  const head = ['| failed attempts | wait before the next | since the first |', '| --- | --- | --- |']
  return [...head, ...rows, `| ${RETRY_WAITS_MS.length + 1} | none: bounced | |`].join('\n')
}

t.test('the retry table of docs/sending.md is that of the relay', (t) =>
  check(t, 'sending.md', (current) =>
    current.replace(
      /(<!-- retry table:.*-->\n)[\s\S]*(<!-- end of retry table -->)/,
      (_whole, start: string, end: string) => `${start}\n${retryTable()}\n\n${end}`,
    ),
  ),
)

t.test('docs/cli.md has the help of every command', (t) =>
  check(t, 'cli.md', () => {
    const commands = COMMANDS.map(
      (command) => `## restante ${command.name}\n\n\`\`\`\n${commandHelp(command)}\n\`\`\`\n`,
    )
    return `# The command line\n\nMade from the table of commands in \`src/cli\`.\n\n\`\`\`\n${overview(COMMANDS)}\n\`\`\`\n\n${commands.join('\n')}`
  }),
)
