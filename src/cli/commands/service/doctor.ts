/** `restante doctor`: checks everything the service depends on, with remedies. Works without a daemon. */
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
import { CommandError, defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'
import { wordsOfReport } from '../../terminal/report.js'

const doctor = defineCommand({
  usage: 'doctor',
  options: ['outward', 'strict', 'json'],
  summary: 'check the installation and say how to fix it',
  about:
    'Checks settings, files, the machine, resolvers, DNS, the network, certificates, other programs and the queue. Each check says what it found and, where\nsomething is wrong, what to type or to publish; problems come last. Without a running daemon some checks are skipped. Exit code 1 if one failed. The checks\nand the format of --json: docs/doctor.md.',
  examples: [
    'restante doctor --config /etc/restante',
    'restante doctor --outward --strict',
    `restante doctor --json | jq -r '.checks[] | select(.state == "failed") | .id'`,
  ],
  async run(invocation) {
    const { options, print, colours } = invocation
    const report = await reportOf(invocation)
    print(options.json ? json(report) : wordsOfReport(report, colours))
    const isBad = report.state === 'failed' || (options.strict && report.state === 'warning')
    return isBad ? EXIT.failed : EXIT.ok
  },
})

export const commands = [doctor]

async function reportOf({ config: load, configDir, settings, options }: Invocation): Promise<Report> {
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
    outward: options.outward === true,
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
