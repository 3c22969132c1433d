/** `restante doctor`: looks at all that the service stands on, and says what to do. Works without a daemon. */
import { ConfigError } from '../../config/errors.js'
import type { Config } from '../../config/schema.js'
import { installedVersion } from '../../config/version.js'
import { wrongSettings } from '../../doctor/checks.js'
import { examine } from '../../doctor/examine.js'
import { factsSchema, type Facts } from '../../doctor/facts.js'
import { runChecks } from '../../doctor/run.js'
import type { Remedy, Report, Result, State } from '../../doctor/types.js'
import { systemClock } from '../../lib/clock.js'
import { askDaemon } from '../admin.js'
import { CommandError, EXIT } from '../command.js'
import type { Command, Invocation } from '../command.js'
import { json, printable } from '../output.js'

export const doctor: Command = {
  name: 'doctor',
  args: [],
  options: ['outward', 'strict', 'json'],
  summary: 'look at all that the service stands on, and say what to do',
  about:
    'Looks at settings, files, the machine, the resolvers, DNS, the network, certificates, the programs beside Restante, and mail that waits; each\ncheck says what it found, and what to type or to publish where something is wrong. What is wrong comes last. Without a running daemon, what only\nthat knows is skipped. Ends with 1 when something failed. The checks, and the shape of --json: docs/doctor.md.',
  examples: [
    'restante doctor --config /etc/restante',
    'restante doctor --outward --strict',
    `restante doctor --json | jq -r '.checks[] | select(.state == "failed") | .id'`,
  ],
  async run(invocation) {
    const { flags, print, colours } = invocation
    const report = await reportOf(invocation)
    print(flags.json ? json(report) : words(report, colours))
    const isBad = report.state === 'failed' || (flags.strict && report.state === 'warning')
    return isBad ? EXIT.failed : EXIT.ok
  },
}

async function reportOf({ config: load, configDir, settings, flags }: Invocation): Promise<Report> {
  const common = { version: installedVersion(), clock: systemClock, configDir }
  let config: Config
  try {
    config = load()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return runChecks(wrongSettings(error.problems), common)
  }
  return examine({
    ...common,
    config,
    facts: await factsOf(config),
    outward: flags.outward,
    commandOptions: settings === '' ? '' : ` ${settings}`,
  })
}

async function factsOf(config: Config): Promise<Facts | { missing: string }> {
  try {
    return await askDaemon(config, 'GET', '/doctor/facts', factsSchema)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const [why = ''] = error.message.split('\n')
    return { missing: why }
  }
}

const SIGNS: Record<State, string> = {
  ok: 'ok',
  skipped: 'skipped',
  unknown: 'unknown',
  warning: 'warning',
  failed: 'FAILED',
}
/** SGR parameters of ECMA-48: green, faint, blue, yellow, red. */
const COLOURS: Record<State, number> = { ok: 32, skipped: 2, unknown: 34, warning: 33, failed: 31 }
const REMEDIES: Record<Remedy['kind'], string> = { command: 'run', record: 'publish', setting: 'set', advice: 'do' }
const SIGN_WIDTH = 7

/** All in their groups, then what there is to do, the worst last: it is what stands above the prompt. */
function words(report: Report, colours: boolean): string {
  const { checks, counts } = report
  const groups = [...new Set(checks.map(({ group }) => group))]
  const listed = groups.map((group) =>
    [group, ...checks.filter((check) => check.group === group).map((check) => lineOf(check, colours))].join('\n'),
  )
  const todo = (['unknown', 'warning', 'failed'] as const).flatMap((state) =>
    checks.filter((check) => check.state === state && check.remedy.length > 0).map((check) => toDo(check, colours)),
  )
  const summary = `${counts.ok} ok, ${counts.skipped} skipped, ${counts.unknown} unknown, ${counts.warning} ${counts.warning === 1 ? 'warning' : 'warnings'}, ${counts.failed} failed`
  return [...listed, ...(todo.length > 0 ? ['To do', ...todo] : []), summary].join('\n\n')
}

function lineOf(check: Result, colours: boolean): string {
  return `  ${sign(check.state, colours)}  ${nameOf(check)}: ${printable(check.finding)}`
}

function toDo(check: Result, colours: boolean): string {
  return [
    `${sign(check.state, colours)}  ${nameOf(check)}: ${printable(check.finding)}`,
    ...check.remedy.map(({ kind, text, file }) => {
      const where = file === null ? '' : `in ${file}: `
      return `    ${REMEDIES[kind].padEnd(SIGN_WIDTH)}  ${where}${printable(text)}`
    }),
  ].join('\n')
}

function nameOf({ id, subject }: Result): string {
  return subject === null ? id : `${id} (${printable(subject)})`
}

function sign(state: State, colours: boolean): string {
  const text = SIGNS[state].padEnd(SIGN_WIDTH)
  return colours ? `\u001b[${COLOURS[state]}m${text}\u001b[0m` : text
}
