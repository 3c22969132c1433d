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
    // The suites of others for MCP, by http/mcp and scenarios/05-mcp.
    ['suites/mcp-product', 'suites/mcp-fixture', 'suites/mcp-authorization'],
    // Large sets of examples, by the other tests of the classifier, of `restante verify` and of claims.
    ['guard/corpora', 'verify/families', 'docs/solvers'],
    // Receiving and sending over the daemon, by mx/, relay/, receipts/ and scenarios 01 to 07, 10, 11 and 24.
    ['scenarios/08-receipts', 'scenarios/09-returned', 'scenarios/20-delivery-notices'],
    ['scenarios/21-first-contact', 'scenarios/22-unsafe-content', 'scenarios/26-tls-reports', 'scenarios/44-reports'],
    // What operators and owners do, by accounts/, audit/, export/, guard/, mailbox/, webhooks/ and scenarios 30-approval, 31 and 32-review-pages.
    [
      'scenarios/30-suspension',
      'scenarios/30-export',
      'scenarios/32-review',
      'scenarios/33-trust',
      'scenarios/45-audit',
    ],
    ['scenarios/34-second-opinion', 'scenarios/36-webhooks', 'scenarios/42-own-rules', 'scenarios/23-operator-mail'],
    // OAuth over the daemon, by oauth/, http/oauth and http/pages.
    ['scenarios/50-oauth'],
    // The description of the API, by http/openapi and http/routes.
    ['scenarios/41-description'],
  ]
    .flat()
    .map((name) => `test/${name}.test.ts`),
)
