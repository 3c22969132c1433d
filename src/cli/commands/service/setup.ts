/** `restante setup`: from an empty machine to settings, keys, user, unit, and DNS records. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../../config/schema.js'
import { installedVersion } from '../../../config/version.js'
import { shellWord } from '../../../ops/doctor/finding.js'
import { examine } from '../../../ops/doctor/examine.js'
import { thisMachine } from '../../../ops/doctor/machine.js'
import type { Report } from '../../../ops/doctor/types.js'
import { systemClock } from '../../../lib/clock.js'
import { zoneFile } from '../../../publish/zone.js'
import type { PublishedRecord } from '../../../publish/types.js'
import type { Answers } from '../../../ops/setup/answers.js'
import { difference } from '../../../ops/setup/diff.js'
import { isPackaged, type Places, type PlannedFile, type Surroundings } from '../../../ops/setup/plan.js'
import { filesOfUnit, removeUnit } from '../../../ops/setup/remove.js'
import { recordsToPublish } from '../../../ops/setup/records.js'
import { carryOut, prepare, presentSettings, type Prepared, type Present } from '../../../ops/setup/setup.js'
import { SERVICE_USER } from '../../../ops/setup/write.js'
import { CommandError, defineCommand, EXIT, type ExitCode, type Invocation } from '../../terminal/command.js'
import { isAgreed, isYes } from '../../terminal/confirm.js'
import { json } from '../../terminal/output.js'
import { listing, view } from '../../terminal/records.js'
import { wordsOfReport } from '../../terminal/report.js'

const CONFIG_DIR = '/etc/restante'
const DATA_DIR = '/var/lib/restante'
/** Checks of a machine before installation. */
const CHECKS = [
  'machine.clock',
  'machine.node',
  'machine.binaries',
  'machine.memory',
  'resolver.',
  'dns.addresses',
  'dns.reverse',
  'network.ports',
  'network.outward',
  'network.block_lists',
]

const setup = defineCommand({
  usage: 'setup',
  options: [
    'domain',
    'hostname',
    'operator',
    'url',
    'data',
    'mail-programs',
    'no-systemd',
    'root',
    'remove',
    'yes',
    'json',
  ],
  abouts: {
    domain: 'domain of the addresses, such as agents.example.com; several, separated by commas',
    config: `folder of settings to write (default: ${CONFIG_DIR})`,
    set: 'one setting more to write; repeatable',
    yes: 'write the files without asking; in a script nothing is written without this',
  },
  summary: 'set up a server: settings, keys, user, unit, and the DNS records to publish',
  about: `Asks for what is not given, checks the machine and its network as the doctor does, and shows what it would write: settings with every line explained,
DKIM keys, the user "${SERVICE_USER}", the folder of data, and the unit of systemd. Nothing is written before you agree, and existing files are changed only after you
have seen the difference. At the end it prints every DNS record to publish, as text and as lines of a zone file. Run again, it takes its
answers from the existing settings, and changes only what is not right yet. --remove removes the unit. See docs/install.md.`,
  examples: [
    'restante setup',
    'restante setup --domain agents.example.com --hostname mx.example.com --operator you@example.com --yes',
    'restante setup --mail-programs',
    'restante setup --config "$PWD/config" --data "$PWD/var" --no-systemd',
    'restante setup --remove',
  ],
  run: runSetup,
})

export const commands = [setup]

async function runSetup(invocation: Invocation): Promise<ExitCode | void> {
  const { options, overrides, print, note, ask } = invocation
  const places = placesOf(invocation)
  if (options.remove) return runRemoval(invocation, places)
  const present = presentSettings(places)
  const answers = await answersOf(invocation, present)
  const isHere = places.root === ''
  const prepared = await prepare({
    answers,
    places,
    systemd: !options['no-systemd'],
    overrides,
    surroundings: surroundingsOf(answers.hostname, isHere),
    isRoot: process.getuid?.() === 0,
  })
  if ('problems' in prepared)
    throw new CommandError(
      EXIT.usage,
      `nothing was changed:\n${prepared.problems.map((each) => `  ${each}.`).join('\n')}`,
    )
  // The root of another machine says nothing about this one.
  const report = isHere ? await look(prepared.config, places) : undefined
  if (report && !options.json) print(`The machine and its network:\n\n${wordsOfReport(report, invocation.colours)}\n`)

  const agreed = await agreedFiles(prepared, invocation)
  if (!agreed) {
    if (options.json) print(json({ ...summary(prepared, report), written: [] }))
    note(options.yes || ask ? 'Nothing was changed.' : 'Nothing was changed: give --yes to write it.')
    return
  }
  const done = await carryOut(prepared, agreed, { clock: systemClock })
  const records = recordsToPublish(prepared.config, done.keys, isHere ? thisMachine.addresses() : [])
  const next = nextCommands(prepared)
  if (options.json) {
    const { written } = done
    const published = { records: records.map(view), zone: zoneFile(records) }
    print(json({ ...summary(prepared, report), written, ...published, next }))
    return
  }
  print(
    [
      doneWords(done.written, done.madeUser, done.madeKeys.length),
      'DNS records to publish:',
      listing(records),
      'The same as lines of a zone file:',
      zones(records, prepared.config),
      `Next:\n\n${next.map((command) => `  ${command}`).join('\n')}`,
    ].join('\n\n'),
  )
}

async function runRemoval(invocation: Invocation, places: Places): Promise<ExitCode | void> {
  const { options, print, note } = invocation
  const { root, configDir, dataDir } = places
  if (isPackaged(places))
    throw new CommandError(EXIT.usage, 'this is a Debian package. Remove it by: apt purge restante')
  const files = filesOfUnit(root)
  if (files.length === 0) {
    if (options.json) print(json({ removed: [], kept: [configDir, dataDir] }))
    note('Nothing was removed: systemd has no unit of setup.')
    return EXIT.ok
  }
  if (process.getuid?.() !== 0)
    throw new CommandError(EXIT.usage, 'the unit can only be removed by root: sudo restante setup --remove')
  if (!(await isAgreed(invocation, () => `This would stop the daemon and remove ${files.join(' and ')}.`)))
    return EXIT.failed
  await removeUnit(root, files)
  if (options.json) print(json({ removed: files, kept: [configDir, dataDir] }))
  else
    print(`Removed: ${files.join(', ')}.

Settings, mail and keys stay, and so does their user. To remove them for good:

  rm -r ${shellWord(`${root}${configDir}`)} ${shellWord(`${root}${dataDir}`)} && userdel ${SERVICE_USER}`)
  return EXIT.ok
}

function placesOf({ configDir = CONFIG_DIR, options }: Invocation): Places {
  const root = options.root === undefined ? '' : resolve(options.root)
  if (root !== '' && !existsSync(root))
    throw new CommandError(EXIT.usage, `nothing was changed:\n  --root ${root} is not there. Make it first.`)
  const dir = root === '' ? resolve(configDir) : configDir
  const present = presentSettings({ root, configDir: dir })
  return {
    root: root === '/' ? '' : root,
    configDir: dir,
    dataDir:
      options.data === undefined ? (present.dataDir ?? DATA_DIR) : root === '' ? resolve(options.data) : options.data,
    installation: thisMachine.installation,
    node: process.execPath,
  }
}

/** From options, existing settings, or questions. @throws CommandError (usage) without a terminal */
async function answersOf({ options, overrides, ask, usage }: Invocation, present: Present): Promise<Answers> {
  const missing: string[] = []
  const answer = async (
    option: 'domain' | 'hostname' | 'operator' | 'url',
    kept: string | undefined,
    question: string,
    guess?: string,
  ): Promise<string> => {
    const known = options[option] ?? kept
    if (known !== undefined) return known
    if (ask) return (await ask(`${question}${guess === undefined ? '' : ` [${guess}]`}: `)).trim() || (guess ?? '')
    if (guess === undefined) missing.push(`--${option}`)
    return guess ?? ''
  }
  const about = 'Domain of the addresses, such as agents.example.com'
  const domains = (await answer('domain', present.domains?.join(','), about))
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const mx = `mx.${domains[0] ?? 'example.com'}`
  const hostname = await answer('hostname', present.hostname, "This host's name in DNS", mx)
  const operator = await answer('operator', present.operator, 'Your email address, elsewhere')
  const baseUrl = await answer('url', present.baseUrl, 'Address of the web pages and the API', `https://${hostname}`)
  if (missing.length > 0) throw usage(`there is no terminal to ask on: give ${missing.join(' and ')}`)
  return { domains, hostname, operator, baseUrl, mailPrograms: await wantsMailPrograms() }

  // Programs send passwords over TLS only.
  function hasCertificate(): boolean {
    const isHere = options.root === undefined
    return (
      surroundingsOf(hostname, isHere).certificate !== undefined ||
      overrides.some((set) => CERTIFICATE_SETTING.test(set))
    )
  }

  /** Asked in a new installation: later the settings have the ports. */
  async function wantsMailPrograms(): Promise<boolean> {
    if (options['mail-programs'] === true) return true
    if (!ask || options.yes || options.json || present.domains !== undefined || !hasCertificate()) return false
    return isYes(ask, MAIL_PROGRAMS)
  }
}

/** Gives the daemon a certificate, or lets it obtain one. */
const CERTIFICATE_SETTING = /^(?:smtp\.tls_cert|tls\.acme)=./

const MAIL_PROGRAMS =
  'Shall mail programs, such as Thunderbird and phones, read and send mail here (opens the ports 993 and 465)?'

const CLAMAV = '/run/clamav/clamd.ctl'

function surroundingsOf(hostname: string, isHere: boolean): Surroundings {
  const live = `/etc/letsencrypt/live/${hostname}`
  const files = { cert: `${live}/fullchain.pem`, key: `${live}/privkey.pem` }
  return {
    hasIpv6: !isHere || existsSync('/proc/net/if_inet6'),
    clamav: isHere && existsSync(CLAMAV) ? CLAMAV : undefined,
    certificate: isHere && existsSync(files.cert) && existsSync(files.key) ? files : undefined,
  }
}

function look(config: Config, { configDir }: Places): Promise<Report> {
  return examine({
    config,
    clock: systemClock,
    version: installedVersion(),
    facts: { missing: 'no daemon is asked before the setup' },
    outward: true,
    commandOptions: ` --config ${configDir}`,
    configDir,
    only: CHECKS,
  })
}

/** Shows what would be written, and asks. @returns files to write; undefined to stop */
async function agreedFiles(
  prepared: Prepared,
  { options, ask, print }: Invocation,
): Promise<PlannedFile[] | undefined> {
  const { files, places, needsUser } = prepared
  const fresh = files.filter(({ current }) => current === undefined)
  const changed = files.filter(({ current }) => current !== undefined)
  if (!options.json) {
    const plan = [
      ...fresh.map(({ path }) => `  new       ${path}`),
      ...changed.map(({ path }) => `  change    ${path}`),
      ...(needsUser ? [`  user      ${SERVICE_USER}`] : []),
      ...(existsSync(`${places.root}${places.dataDir}`) ? [] : [`  folder    ${places.root}${places.dataDir} (0700)`]),
    ]
    print(plan.length === 0 ? 'Every file is as it should be.' : `To be written:\n\n${plan.join('\n')}`)
    for (const { path, current, text } of changed) print(`\n${path}:\n${difference(current ?? '', text)}`)
  }
  if (options.yes) return files
  if (!ask) return undefined
  if (fresh.length > 0 && !(await isYes(ask, '\nWrite what is new?'))) return undefined
  const agreed = [...fresh]
  for (const file of changed) if (await isYes(ask, `Change ${file.path}?`)) agreed.push(file)
  return agreed
}

function doneWords(written: string[], madeUser: boolean, keys: number): string {
  const words = [
    written.length === 0 ? 'No file was changed' : `Written: ${written.join(', ')}`,
    ...(madeUser ? [`the user ${SERVICE_USER} was made`] : []),
    ...(keys > 0 ? [`${keys} DKIM keys were made`] : []),
  ]
  return `\n${words.join('; ')}.`
}

/** One zone per domain; the host's records are with its parent domain. */
function zones(records: PublishedRecord[], { domains }: Config): string {
  const home = domains.names.find((name) => domains.hostname === name || domains.hostname.endsWith(`.${name}`))
  const isOf = (owner: string, domain: string): boolean =>
    owner === domain || (owner === domains.hostname && domain === home)
  const parts = domains.names.map(
    (domain) => `; zone of ${domain}\n\n${zoneFile(records.filter(({ owner }) => isOf(owner, domain)))}`,
  )
  const strange = home === undefined ? records.filter(({ owner }) => owner === domains.hostname) : []
  if (strange.length > 0) parts.push(`; zone that ${domains.hostname} is in\n\n${zoneFile(strange)}`)
  return parts.join('\n\n')
}

function nextCommands({ places, systemd }: Prepared): string[] {
  const settings = `--config ${places.configDir}`
  return [
    `restante dns --check ${settings}   # once the records are published`,
    systemd ? 'systemctl daemon-reload && systemctl enable --now restante' : `restante start ${settings}`,
    `restante doctor ${settings}`,
  ]
}

function summary({ files, config, needsUser }: Prepared, report: Report | undefined) {
  return {
    domains: config.domains.names,
    hostname: config.domains.hostname,
    files: files.map(({ path, current }) => ({ path, state: current === undefined ? 'new' : 'changed' })),
    needs_user: needsUser,
    report: report ?? null,
  }
}
