/** Documents that are made from the code are current. `UPDATE_DOCS=1 npx tap test/docs` writes them anew. */
import t, { type Test } from 'tap'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allCommands } from '../../src/cli/catalogue.js'
import { commandHelp, overview } from '../../src/cli/terminal/help.js'
import { MINUTE } from '../../src/lib/clock.js'
import { dailyLimit } from '../../src/accounts/recipients.js'
import { DEFAULT_LINES, LINE_DAYS, MAX_LEVEL, RAISE } from '../../src/accounts/trust.js'
import { limits } from '../../src/config/sections/limits.js'
import { RETRY_WAITS_MS } from '../../src/relay/schedule.js'

const COMMANDS = await allCommands()

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

function levelTable(): string {
  const rows = Array.from({ length: MAX_LEVEL + 1 }, (_, level) => `| ${level} | ${dailyLimit(25, level)} |`)
  return ['| level | new recipients a day |', '| --- | --- |', ...rows].join('\n')
}

function trustRules(): string {
  const { lowerBouncePercent, lowerMinRecipients, suspendBouncePercent, suspendComplaintPercent } = DEFAULT_LINES
  return [
    '| what | takes |',
    '| --- | --- |',
    `| one level up | ${RAISE.activeDays} days within ${RAISE.days} on which something was sent, ${RAISE.delivered} delivered, under ${RAISE.bouncePercent} % bounced, no complaint and no block in ${RAISE.days} days |`,
    `| one level down | a complaint, a block, or over ${lowerBouncePercent} % bounced of at least ${lowerMinRecipients} recipients, within ${LINE_DAYS} days |`,
    `| suspended | over ${suspendBouncePercent} % bounced or over ${suspendComplaintPercent} % complaints, of at least ${DEFAULT_LINES.suspendMinRecipients} recipients within ${LINE_DAYS} days |`,
  ].join('\n')
}

t.test('the tables of docs/trust.md are those by which levels move', (t) =>
  check(t, 'trust.md', (current) =>
    current
      .replace(
        /(<!-- trust levels:.*-->\n)[\s\S]*(<!-- end of trust levels -->)/,
        (_whole, start: string, end: string) => `${start}\n${levelTable()}\n\n${end}`,
      )
      .replace(
        /(<!-- trust rules:.*-->\n)[\s\S]*(<!-- end of trust rules -->)/,
        (_whole, start: string, end: string) => `${start}\n${trustRules()}\n\n${end}`,
      ),
  ),
)

t.test('the lines of trust are those of the settings where none are given', async (t) => {
  const settings = limits.parse({})
  t.same(
    {
      lowerBouncePercent: settings.lower_bounce_percent,
      lowerMinRecipients: settings.lower_min_recipients,
      suspendBouncePercent: settings.suspend_bounce_percent,
      suspendComplaintPercent: settings.suspend_complaint_percent,
      suspendMinRecipients: settings.suspend_min_recipients,
    },
    DEFAULT_LINES,
  )
  t.equal(settings.new_recipients_per_day, 25)
})

t.test('docs/cli.md has the help of every command', (t) =>
  check(t, 'cli.md', () => {
    const commands = COMMANDS.map(
      (command) => `## restante ${command.name}\n\n\`\`\`\n${commandHelp(command)}\n\`\`\`\n`,
    )
    return `# The command line\n\nMade from the table of commands in \`src/cli\`.\n\n\`\`\`\n${overview(COMMANDS)}\n\`\`\`\n\n${commands.join('\n')}`
  }),
)
