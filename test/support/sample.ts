/**
 * With `SAMPLE=1`, as `.ci/run` has it, tests that take long and rarely break are run in part: the files below are left out, and tables are cut
 * to the rows that `inSample` is given. `npm test` alone runs everything.
 */
export const SAMPLE = process.env.SAMPLE === '1'

/** @returns of a table of cases all, or those that stand for them in a sample */
export function inSample<T>(all: readonly T[], stands: (each: T, index: number) => boolean): readonly T[] {
  return SAMPLE ? all.filter(stands) : all
}

/** Files under test/ that a sample leaves out, by what goes on covering their subject. */
export const LEFT_OUT: ReadonlySet<string> = new Set(
  [
    // The package, by systemd/debian-13.
    ['systemd/debian-12', 'systemd/architectures'],
    // Fuzzing with fixed seeds, by the fuzzers that `.ci/run` starts.
    ['fuzz/session', 'fuzz/guided', 'fuzz/linear', 'mime/fuzz', 'mime/readers-fuzz'],
    // The suites of others for MCP, by api/mcp and scenarios/mail/05-mcp.
    ['suites/mcp/mcp-product', 'suites/mcp/mcp-fixture', 'suites/mcp/mcp-authorization'],
    // Large sets of examples, by the other tests of the classifier, of `restante verify` and of claims.
    ['guard/corpora', 'ops/verify/families', 'docs/solvers'],
    // Receiving and sending over the daemon, by mx/, relay/, receipts/ and scenarios/mail.
    ['scenarios/mail/08-receipts', 'scenarios/mail/09-returned', 'scenarios/mail/14-delivery-notices'],
    [
      'scenarios/mail/15-first-contact',
      'scenarios/mail/16-unsafe-content',
      'scenarios/operations/34-tls-reports',
      'scenarios/operations/39-reports',
    ],
    // What operators and owners do, by accounts/, audit/, lifecycle/, guard/, mailbox/, webhooks/ and the other scenarios/people.
    [
      'scenarios/people/25-suspension',
      'scenarios/people/32-export',
      'scenarios/people/28-review',
      'scenarios/people/29-trust',
      'scenarios/operations/41-audit',
    ],
    [
      'scenarios/people/30-second-opinion',
      'scenarios/mail/19-webhooks',
      'scenarios/mail/21-own-rules',
      'scenarios/mail/17-operator-mail',
    ],
    // OAuth over the daemon, by oauth/, api/oauth and web/.
    ['scenarios/people/31-oauth'],
    // Pages in a browser, by web/ and the other scenarios/people; the queue and its transport, by queue/, relay/ and scenarios/mail.
    ['scenarios/people/26-owner-pages', 'scenarios/people/27-review-pages', 'scenarios/people/48-writing'],
    ['scenarios/mail/11-queue', 'scenarios/mail/18-transport'],
    // What a node left undone, by scenarios/mail/23-nodes and 24-broken-nodes.
    ['scenarios/mail/25-retried-elsewhere'],
    // Upgrades from old forms, backups and copies, by data-folders, daemon/upgrade/migrate-rows, cli/store-migrate, ops/backup and store/copy.
    ['daemon/upgrade/migrate-receipts', 'daemon/upgrade/migrate-queue', 'scenarios/operations/40-upgrade'],
    ['scenarios/operations/36-backup', 'scenarios/operations/44-store-copy'],
    // Large mail in a bucket, by store/blobs/s3 and scenarios/operations/46-second-shape.
    ['scenarios/operations/43-blobs-in-s3'],
    // That budgets are kept to, by the bench of stages in `.ci/run`.
    ['bench/budgets-command'],
    // A mail program with windows, by the other imap/programs and web/program-settings.
    ['imap/programs/thunderbird'],
    // The description of the API, by http/routing/openapi and api/routes.
    ['scenarios/operations/35-description'],
  ]
    .flat()
    .map((name) => `test/${name}.test.ts`),
)
