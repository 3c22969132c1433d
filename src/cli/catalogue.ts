/** All commands by first word. A command line loads only the files of its word, which is most of the cost of a short command. */
import type { Command } from './terminal/command.js'

interface Chapter {
  /** The first word of all its commands. */
  word: string
  load(): Promise<readonly Command[]>
}

/** In overview order. */
const CHAPTERS: readonly Chapter[] = [
  { word: 'setup', load: async () => [(await import('./commands/service/setup.js')).setup] },
  { word: 'start', load: async () => [(await import('./commands/service/start.js')).start] },
  { word: 'doctor', load: async () => [(await import('./commands/service/doctor.js')).doctor] },
  { word: 'top', load: async () => [(await import('./commands/top/top.js')).top] },
  { word: 'claim', load: async () => (await import('./commands/accounts/claims.js')).claimCommands },
  { word: 'mailbox', load: async () => (await import('./commands/accounts/mailboxes.js')).mailboxCommands },
  { word: 'account', load: async () => (await import('./commands/accounts/accounts.js')).accountCommands },
  { word: 'audit', load: async () => [(await import('./commands/accounts/audit.js')).audit] },
  { word: 'receipts', load: async () => [(await import('./commands/mail/receipts.js')).receipts] },
  { word: 'trace', load: async () => [(await import('./commands/mail/trace.js')).trace] },
  { word: 'reports', load: async () => (await import('./commands/mail/reports.js')).reportCommands },
  { word: 'retention', load: async () => [(await import('./commands/service/retention.js')).retention] },
  { word: 'backup', load: async () => [(await import('./commands/service/backup.js')).backup] },
  { word: 'restore', load: async () => [(await import('./commands/service/backup.js')).restore] },
  { word: 'verify', load: async () => [(await import('./commands/service/verify.js')).verify] },
  { word: 'repair', load: async () => [(await import('./commands/service/verify.js')).repair] },
  { word: 'webhook', load: async () => (await import('./commands/mail/webhooks.js')).webhookCommands },
  { word: 'connection', load: async () => (await import('./commands/accounts/connections.js')).connectionCommands },
  { word: 'review', load: async () => (await import('./commands/accounts/review.js')).reviewCommands },
  {
    word: 'guard',
    async load() {
      const [{ guardExplain }, { guardCommands }] = await Promise.all([
        import('./commands/accounts/guard-explain.js'),
        import('./commands/accounts/guard.js'),
      ])
      return [guardExplain, ...guardCommands]
    },
  },
  { word: 'queue', load: async () => (await import('./commands/mail/queue.js')).queueCommands },
  { word: 'tls-reports', load: async () => (await import('./commands/mail/transport.js')).tlsReportCommands },
  { word: 'mta-sts', load: async () => (await import('./commands/mail/transport.js')).mtaStsCommands },
  { word: 'certificate', load: async () => (await import('./commands/service/certificates.js')).certificateCommands },
  { word: 'dkim', load: async () => (await import('./commands/service/dkim.js')).dkimCommands },
  { word: 'dns', load: async () => [(await import('./commands/service/dns.js')).dns] },
  { word: 'config', load: async () => (await import('./commands/service/settings.js')).configCommands },
  { word: 'openapi', load: async () => [(await import('./commands/help/openapi.js')).openapi] },
  {
    word: 'completion',
    load: async () => [(await import('./commands/help/completion.js')).createCompletion(allCommands)],
  },
  { word: 'version', load: async () => [(await import('./commands/help/version.js')).version] },
  { word: 'help', load: async () => [(await import('./commands/help/help.js')).createHelp(allCommands)] },
]

/** Commands with that first word, or all for an unknown one, to suggest corrections. */
export async function commandsOf(word: string | undefined): Promise<readonly Command[]> {
  const chapter = CHAPTERS.find((each) => each.word === word)
  return chapter ? chapter.load() : allCommands()
}

export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(CHAPTERS.map(({ load }) => load()))).flat()
}
