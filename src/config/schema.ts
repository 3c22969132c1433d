/** All settings: one schema a file. Defaults, types, checks, docs/config.md and config/*.toml are made from these. */
import { z } from 'zod'
import { server } from './sections/server.js'
import { domains } from './sections/domains.js'
import { smtp } from './sections/smtp.js'
import { tls } from './sections/tls.js'
import { oauth } from './sections/oauth.js'
import { relay } from './sections/relay.js'
import { scan } from './sections/scan.js'
import { guard } from './sections/guard.js'
import { limits } from './sections/limits.js'
import { identity } from './sections/identity.js'
import { retention } from './sections/retention.js'
import { backup } from './sections/backup.js'
import { webhooks } from './sections/webhooks.js'
import { names } from './sections/names.js'
import { doctor } from './sections/doctor.js'

const sections = {
  server,
  domains,
  smtp,
  tls,
  relay,
  scan,
  guard,
  limits,
  webhooks,
  identity,
  oauth,
  retention,
  backup,
  names,
  doctor,
} as const

export type SectionName = keyof typeof sections

export const configSchema = z.strictObject(sections)

/** Every setting with its value, as the parts are handed it. */
export type Config = z.output<typeof configSchema>

/** What each file is about, as its first comment says. */
export const sectionAbout: Record<SectionName, string> = {
  server: 'The daemon itself: where it keeps its data and where it listens.',
  domains: 'Whose mail this is: the domains, and the name of this host.',
  smtp: 'Receiving mail.',
  tls: 'Certificates that the daemon has made out by an authority.',
  relay: 'Sending mail out.',
  scan: 'Looking for malware and spam in incoming mail.',
  guard: 'Checking what agents send before it leaves.',
  limits: 'How much anybody may use.',
  webhooks: 'Telling the receivers of agents what happens, by HTTP.',
  oauth: 'Programs that humans connect to their mailboxes, by OAuth.',
  identity: 'The humans behind mailboxes.',
  retention: 'How long things are kept that are not mail.',
  backup: 'Copies of all that is stored.',
  names: "Names an agent can't claim.",
  doctor: 'What `restante doctor` asks of others.',
}

export const sectionNames = Object.keys(sections).filter(isSectionName)

export function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(sections, name)
}

/** The schemas of a file's settings by name. */
export function settingsOf(section: SectionName): Map<string, z.ZodDefault<z.ZodType>> {
  return new Map(Object.entries(sections[section].shape))
}
