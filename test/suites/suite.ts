/**
 * A public suite, run against this code: what each one gives is a row of docs/conformance.md, and a test. A case that ends otherwise than
 * its author wants is either explained here, with whose it is, or a failure.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Test } from 'tap'
import { section } from './conformance.js'

export interface Difference {
  case: string
  got: string
  wanted: string
}

export interface SuiteRun {
  /** Cases that were run. */
  total: number
  differences: Difference[]
}

export interface Suite {
  /** Under `../shared/suites`. */
  folder: string
  title: string
  /** What rules: `RFC 7208`. */
  rule: string
  /** Where the expectations come from, when the folder has none: a sentence for the document. */
  source?: string
  /** Cases there are: fewer that were run means that the suite was not read whole. */
  size: number
  /** Why a difference is right, or whose it is, by the name of the case. */
  explanations: Record<string, string>
  /** @param dir the suite's folder */
  run(dir: string): Promise<SuiteRun>
}

export const suiteDir = (suite: Pick<Suite, 'folder'>): string => `../shared/suites/${suite.folder}`

/** Differences without an explanation, and explanations without a difference. */
export function unexplained(suite: Suite, { differences }: SuiteRun): string[] {
  const seen = new Set(differences.map((difference) => difference.case))
  return [
    ...differences
      .filter((difference) => suite.explanations[difference.case] === undefined)
      .map((difference) => `${difference.case}: ${difference.got}, wanted ${difference.wanted}`),
    ...Object.keys(suite.explanations)
      .filter((name) => !seen.has(name))
      .map((name) => `${name}: explained, but no difference`),
  ]
}

/** One test of a whole suite; skipped where the folder is not there. */
export function checkSuite(t: Test, suite: Suite): void {
  const dir = suiteDir(suite)
  t.test(suite.title, { skip: existsSync(dir) ? false : `${dir} is not there` }, async (t) => {
    const run = await suite.run(dir)
    t.comment(`${run.total - run.differences.length} of ${run.total}`)
    t.ok(run.total >= suite.size, `all ${suite.size} cases were run`)
    t.same(unexplained(suite, run), [])
    // The lists of suites and of sections are compared in test/docs.
    const document = await readFile('docs/conformance.md', 'utf8')
    const listed = document.includes(`\n\`${suite.folder}\`, `)
    if (listed) t.ok(document.includes(section({ suite, run })), 'docs/conformance.md is current: npm run conformance')
  })
}
