/** All commands by first word. A command line loads only the files of its word, which is most of the cost of a short command. */
import type { Command } from './terminal/command.js'

type Chapter = () => Promise<{ commands: readonly Command[] }>

const backup: Chapter = () => import('./commands/service/backup.js')
const verify: Chapter = () => import('./commands/service/verify.js')
const transport: Chapter = () => import('./commands/mail/transport.js')
const help: Chapter = () => import('./commands/help.js')

/** The file with the commands of a first word, in overview order. */
const CHAPTERS = new Map<string, Chapter>([
  ['setup', () => import('./commands/service/setup.js')],
  ['start', () => import('./commands/service/start.js')],
  ['doctor', () => import('./commands/service/doctor.js')],
  ['top', () => import('./commands/top/top.js')],
  ['claim', () => import('./commands/accounts/claims.js')],
  ['mailbox', () => import('./commands/accounts/mailboxes.js')],
  ['import', () => import('./commands/mail/import.js')],
  ['account', () => import('./commands/accounts/accounts.js')],
  ['audit', () => import('./commands/accounts/audit.js')],
  ['receipts', () => import('./commands/mail/receipts.js')],
  ['trace', () => import('./commands/mail/trace.js')],
  ['reports', () => import('./commands/mail/reports.js')],
  ['cluster', () => import('./commands/service/cluster.js')],
  ['retention', () => import('./commands/service/retention.js')],
  ['backup', backup],
  ['restore', backup],
  ['store', () => import('./commands/service/store.js')],
  ['verify', verify],
  ['repair', verify],
  ['webhook', () => import('./commands/mail/webhooks.js')],
  ['connection', () => import('./commands/accounts/connections.js')],
  ['review', () => import('./commands/accounts/review.js')],
  ['guard', () => import('./commands/accounts/guard.js')],
  ['queue', () => import('./commands/mail/queue.js')],
  ['tls-reports', transport],
  ['mta-sts', transport],
  ['certificate', () => import('./commands/service/certificates.js')],
  ['dkim', () => import('./commands/service/dkim.js')],
  ['dns', () => import('./commands/service/dns.js')],
  ['config', () => import('./commands/service/settings.js')],
  ['openapi', help],
  ['completion', help],
  ['version', help],
  ['help', help],
])

/** Commands with that first word, or all for an unknown one, to suggest corrections. */
export async function commandsOf(word = ''): Promise<readonly Command[]> {
  const load = CHAPTERS.get(word)
  return load ? (await load()).commands.filter(({ name }) => name.split(' ')[0] === word) : allCommands()
}

export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all([...new Set(CHAPTERS.values())].map((load) => load()))).flatMap(({ commands }) => commands)
}
