/** `restante doctor`: looks at all that the service stands on, and says what to do. Works without a daemon. */
import { ConfigError } from '../../../config/errors.js'
import type { Config } from '../../../config/schema.js'
import { installedVersion } from '../../../config/version.js'
import { wrongSettings } from '../../../ops/doctor/checks.js'
import { examine } from '../../../ops/doctor/examine.js'
import { factsSchema, type Facts } from '../../../ops/doctor/facts.js'
import { runChecks } from '../../../ops/doctor/run.js'
import type { Report } from '../../../ops/doctor/types.js'
import { systemClock } from '../../../lib/clock.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, EXIT } from '../../terminal/command.js'
import type { Command, Invocation } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'
import { wordsOfReport } from '../../terminal/report.js'

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
    print(flags.json ? json(report) : wordsOfReport(report, colours))
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
