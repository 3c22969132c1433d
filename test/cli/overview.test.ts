import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import t from 'tap'
import { allCommands } from '../../src/cli/catalogue.js'

const FILE = 'src/cli/terminal/overview.ts'

t.test('the overview, which loads no commands, lists all of them', async (t) => {
  const rows = (await allCommands()).map(({ usage, summary }) => ({ usage, summary }))
  const text = `/** Usage and summary of each command, so that \`restante help\` loads none of them. Written by test/cli/overview.test.ts with UPDATE_DOCS=1. */
import type { Command } from './command.js'

export const OVERVIEW: readonly Pick<Command, 'usage' | 'summary'>[] = ${JSON.stringify(rows)}
`
  const written = await format(text, { ...(await resolveConfig(FILE)), parser: 'typescript' })
  if (process.env.UPDATE_DOCS === '1') await writeFile(FILE, written)
  t.equal(await readFile(FILE, 'utf8'), written, `run UPDATE_DOCS=1 node .tests/test/main.js cli/overview`)
})
