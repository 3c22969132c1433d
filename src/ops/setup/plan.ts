/** Plans the files that setup writes, with text and permissions, compared with existing ones. Changes nothing. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { shippedFile } from '../../config/reference.js'
import { sectionNames } from '../../config/schema.js'
import { hasCode } from '../../lib/thrown.js'
import type { Answers } from './answers.js'
import { withSetting } from './settings-text.js'
import { dropInFor, unitFor } from './unit.js'

export interface Places {
  /** Prefix of every written path; '' for this machine itself. */
  root: string
  configDir: string
  dataDir: string
  installation: string
  node: string
}

export interface PlannedFile {
  /** Including the root. */
  path: string
  text: string
  /** Current text; undefined if missing. */
  current: string | undefined
}

/** A setting to write: `smtp.listen`, and its value in TOML. */
export interface Chosen {
  name: string
  value: string
}

export interface Surroundings {
  hasIpv6: boolean
  clamav: string | undefined
  certificate: { cert: string; key: string } | undefined
}

/** The settings that follow from the answers. @param further settings of the command line, which override them */
export function chosenSettings(
  { domains, hostname, operator, baseUrl, mailPrograms }: Answers,
  { dataDir }: Pick<Places, 'dataDir'>,
  { hasIpv6, clamav, certificate }: Surroundings,
  further: readonly Chosen[],
): Chosen[] {
  const text = (name: string, value: string | readonly string[]): Chosen => ({ name, value: tomlOf(value) })
  const at = (port: number): string => (hasIpv6 ? `[::]:${port}` : `0.0.0.0:${port}`)
  const all = [
    text('server.data_dir', dataDir),
    text('server.base_url', baseUrl),
    text('domains.names', domains),
    text('domains.hostname', hostname),
    text('smtp.listen', [at(25)]),
    // RFC 8314 §3: TLS from the first byte.
    ...(mailPrograms === true ? [text('imap.listen_tls', [at(993)]), text('submission.listen_tls', [at(465)])] : []),
    ...(certificate ? [text('smtp.tls_cert', certificate.cert), text('smtp.tls_key', certificate.key)] : []),
    text('identity.operator', operator),
    text('identity.forward_operator_mail', operator),
    ...(clamav === undefined ? [] : [text('scan.clamav', clamav)]),
  ]
  return [...all.filter(({ name }) => !further.some((other) => other.name === name)), ...further]
}

/** TOML writes texts and lists of texts like JSON. */
function tomlOf(value: string | readonly string[]): string {
  return typeof value === 'string' ? JSON.stringify(value) : `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
}

export interface Plan {
  files: PlannedFile[]
  problems: string[]
}

/** The settings files; existing ones keep all other settings. */
export function planSettings({ root, configDir }: Places, chosen: readonly Chosen[]): Plan {
  const problems: string[] = []
  const files = sectionNames.map((section): PlannedFile => {
    const path = `${root}${join(configDir, `${section}.toml`)}`
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      problems.push(`${path} is a folder. Remove it: a settings file is written there`)
      return { path, text: '', current: '' }
    }
    const current = textIfThere(path)
    let text = current ?? shippedFile(section)
    for (const { name, value } of chosen) {
      const [file, key = ''] = name.split('.')
      if (file !== section) continue
      const changed = withSetting(text, key, value)
      if (changed === undefined)
        problems.push(`${path}: ${key} can't be changed automatically. Set ${key} = ${value} there, and run this again`)
      else text = changed
    }
    return { path, text, current }
  })
  return { files, problems }
}

/** Path of the unit, which overrides that of a package. */
export const UNIT = '/etc/systemd/system/restante.service'
export const DROP_IN = '/etc/systemd/system/restante.service.d/setup.conf'
export const JOURNAL = '/etc/systemd/journald@restante.conf'
const UNIT_OF_PACKAGE = '/usr/lib/systemd/system/restante.service'

/** True for an installation by package, which has its own unit. */
export function isPackaged({ root, installation }: Pick<Places, 'root' | 'installation'>): boolean {
  return textIfThere(`${root}${UNIT_OF_PACKAGE}`)?.includes(`${installation}/bin/restante`) === true
}

/** A unit from before the package was installed, which would override the package's. */
export function problemsOfUnit({ root, installation }: Pick<Places, 'root' | 'installation'>): string[] {
  const other = isPackaged({ root, installation }) ? textIfThere(`${root}${UNIT}`) : undefined
  return other === undefined || other.includes(`${installation}/bin/restante`)
    ? []
    : [
        `${root}${UNIT} overrides the unit of the package, and starts another installation. Remove it: rm ${root}${UNIT}`,
      ]
}

/** The unit and its journal settings; for a package only a drop-in with the differences. */
export function planUnit({ root, ...places }: Places): PlannedFile[] {
  if (isPackaged({ root, ...places })) {
    const path = `${root}${DROP_IN}`
    const current = textIfThere(path)
    const text =
      dropInFor(places) ?? (current === undefined ? undefined : '# No differences from the unit of the package.\n')
    return text === undefined ? [] : [{ path, text, current }]
  }
  const shipped = (name: string): string => readFileSync(join(places.installation, 'systemd', name), 'utf8')
  return [
    [UNIT, unitFor(shipped('restante.service'), places)] as const,
    [JOURNAL, shipped('journald@restante.conf')] as const,
  ].map(([path, text]) => ({ path: `${root}${path}`, text, current: textIfThere(`${root}${path}`) }))
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}

/** Problem of a path as a folder; undefined if usable. */
export function problemOfFolder(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined || found.isDirectory()
      ? undefined
      : `${path} is a file. Remove it, or give another folder`
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) return `a part of ${path} is a file. Give another folder`
    if (hasCode(error, 'EACCES')) return `this user may not read ${path}. Run setup as root: sudo restante setup`
    throw error
  }
}
