/** All commands, by the word they begin with: a command line loads the files of that word and no others, which is most of what a short command takes. */
import type { Command } from './command.js'

interface Chapter {
  /** The first word of all its commands. */
  word: string
  load(): Promise<readonly Command[]>
}

/** In the order of the overview. */
const CHAPTERS: readonly Chapter[] = [
  { word: 'setup', load: async () => [(await import('./commands/setup.js')).setup] },
  { word: 'start', load: async () => [(await import('./commands/start.js')).start] },
  { word: 'doctor', load: async () => [(await import('./commands/doctor.js')).doctor] },
  { word: 'top', load: async () => [(await import('./commands/top.js')).top] },
  { word: 'claim', load: async () => (await import('./commands/claims.js')).claimCommands },
  { word: 'mailbox', load: async () => (await import('./commands/mailboxes.js')).mailboxCommands },
  { word: 'account', load: async () => (await import('./commands/accounts.js')).accountCommands },
  { word: 'audit', load: async () => [(await import('./commands/audit.js')).audit] },
  { word: 'receipts', load: async () => [(await import('./commands/receipts.js')).receipts] },
  { word: 'trace', load: async () => [(await import('./commands/trace.js')).trace] },
  { word: 'reports', load: async () => (await import('./commands/reports.js')).reportCommands },
  { word: 'retention', load: async () => [(await import('./commands/retention.js')).retention] },
  { word: 'backup', load: async () => [(await import('./commands/backup.js')).backup] },
  { word: 'restore', load: async () => [(await import('./commands/backup.js')).restore] },
  { word: 'verify', load: async () => [(await import('./commands/verify.js')).verify] },
  { word: 'repair', load: async () => [(await import('./commands/verify.js')).repair] },
  { word: 'webhook', load: async () => (await import('./commands/webhooks.js')).webhookCommands },
  { word: 'connection', load: async () => (await import('./commands/connections.js')).connectionCommands },
  { word: 'review', load: async () => (await import('./commands/review.js')).reviewCommands },
  {
    word: 'guard',
    async load() {
      const [{ guardExplain }, { guardCommands }] = await Promise.all([
        import('./commands/guard-explain.js'),
        import('./commands/guard.js'),
      ])
      return [guardExplain, ...guardCommands]
    },
  },
  { word: 'queue', load: async () => (await import('./commands/queue.js')).queueCommands },
  { word: 'tls-reports', load: async () => (await import('./commands/transport.js')).tlsReportCommands },
  { word: 'mta-sts', load: async () => (await import('./commands/transport.js')).mtaStsCommands },
  { word: 'certificate', load: async () => (await import('./commands/certificates.js')).certificateCommands },
  { word: 'dkim', load: async () => (await import('./commands/dkim.js')).dkimCommands },
  { word: 'dns', load: async () => [(await import('./commands/dns.js')).dns] },
  { word: 'config', load: async () => (await import('./commands/settings.js')).configCommands },
  { word: 'openapi', load: async () => [(await import('./commands/openapi.js')).openapi] },
  {
    word: 'completion',
    load: async () => [(await import('./commands/completion.js')).createCompletion(allCommands)],
  },
  { word: 'version', load: async () => [(await import('./commands/version.js')).version] },
  { word: 'help', load: async () => [(await import('./commands/help.js')).createHelp(allCommands)] },
]

/** Those that begin with a word, or all where none does: a misspelt one is compared with everything there is. */
export async function commandsOf(word: string | undefined): Promise<readonly Command[]> {
  const chapter = CHAPTERS.find((each) => each.word === word)
  return chapter ? chapter.load() : allCommands()
}

export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all(CHAPTERS.map(({ load }) => load()))).flat()
}
