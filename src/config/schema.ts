/** All settings: one schema per file. Defaults, types, checks, docs/config.md and config/*.toml are made from these. */
import { z } from 'zod'
import { server } from './sections/server.js'
import { blobs } from './sections/blobs.js'
import { domains } from './sections/domains.js'
import { smtp } from './sections/smtp.js'
import { tls } from './sections/tls.js'
import { oauth } from './sections/oauth.js'
import { relay } from './sections/relay.js'
import { scan } from './sections/scan.js'
import { store } from './sections/store.js'
import { guard } from './sections/guard.js'
import { limits } from './sections/limits.js'
import { identity } from './sections/identity.js'
import { retention } from './sections/retention.js'
import { backup } from './sections/backup.js'
import { webhooks } from './sections/webhooks.js'
import { names } from './sections/names.js'
import { doctor } from './sections/doctor.js'
import { submission } from './sections/submission.js'
import { imap } from './sections/imap.js'

const sections = {
  server,
  store,
  blobs,
  domains,
  smtp,
  submission,
  imap,
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

/** All settings with their values. */
export type Config = z.output<typeof configSchema>

/** Topic of each file, for its first comment and docs/config.md. */
export const sectionAbout: Record<SectionName, string> = {
  server: 'Data folder, listeners, proxies, DNS and log.',
  store: 'Database of everything but large files.',
  blobs: 'Place of large messages and files: files here, or an S3 bucket.',
  domains: 'Domains and host name of this server.',
  smtp: 'Receiver of incoming mail.',
  submission: 'Sending by mail programs.',
  imap: 'Reading by mail programs.',
  tls: 'Certificates that the daemon obtains and renews over ACME.',
  relay: 'Delivery of outgoing mail.',
  scan: 'Malware and spam filters for incoming mail.',
  guard: 'Classification of outgoing mail before it is sent.',
  limits: 'Limits of clients, accounts and mailboxes.',
  webhooks: 'Delivery of events to webhooks.',
  oauth: 'OAuth clients connected to mailboxes.',
  identity: 'Operator, staff and identity providers.',
  retention: 'Retention of data other than mail.',
  backup: 'Backups of all stored data.',
  names: 'Names that cannot be claimed.',
  doctor: 'External services that `restante doctor` uses.',
}

export const sectionNames = Object.keys(sections).filter(isSectionName)

export function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(sections, name)
}

export function settingsOf(section: SectionName): Map<string, z.ZodDefault<z.ZodType>> {
  return new Map(Object.entries(sections[section].shape))
}
