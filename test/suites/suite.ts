/**
 * A public suite, run against this code: what each one gives is a row of docs/conformance.md, and a test. A case that ends otherwise than
 * its author wants is either explained here, with whose it is, or a failure.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Test } from 'tap'
import { peer } from '../support/peers/peers.js'
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
  /** Under `../shared/suites`, unless `dir` says otherwise. */
  folder: string
  /** Where `npm ci --prefix test/conformance` put it. */
  dir?: string
  title: string
  /** What rules: `RFC 7208`. */
  rule: string
  /** Where the expectations come from, when the folder has none: a sentence for the document. */
  source?: string
  /** Cases there are: fewer that were run means that the suite was not read whole. */
  size: number
  /** Why a difference is right, or whose it is, by the name of the case. */
  explanations: Record<string, string>
  /** Cases that ask for what is not there to be asked for, with the reason: they are run, but not counted, and must not pass. */
  leftOut?: Record<string, string>
  /** @param dir the suite's folder */
  run(dir: string): Promise<SuiteRun>
}

export const suiteDir = (suite: Pick<Suite, 'folder' | 'dir'>): string =>
  suite.dir ?? `../shared/suites/${suite.folder}`

/** What npm installs is a peer as other programs are: CI has it. */
const absent = (suite: Suite, dir: string): { skip: string | false } =>
  suite.dir === undefined ? { skip: existsSync(dir) ? false : `${dir} is not there` } : peer(suite.title, dir)

/** The run without the cases that are left out; one of those that passes should not be. */
export function counted(run: SuiteRun, leftOut: Record<string, string> = {}): SuiteRun {
  const isOut = (difference: Difference): boolean => leftOut[difference.case] !== undefined
  const out = new Set(run.differences.filter(isOut).map((difference) => difference.case))
  const passed = Object.keys(leftOut).filter((name) => !out.has(name))
  return {
    total: run.total - out.size,
    differences: [
      ...run.differences.filter((difference) => !isOut(difference)),
      ...passed.map((name) => ({ case: name, got: 'it passes, or is not there', wanted: 'nothing: it is left out' })),
    ],
  }
}

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
  t.test(suite.title, absent(suite, dir), async (t) => {
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
