/**
 * docs/conformance.md, made from what the suites give. The same code gives the same text: no times, no names of machines. Each suite has a
 * section of its own, so that its test can tell whether the document is current without running the others.
 */
import type { Suite, SuiteRun } from './suite.js'

export interface Result {
  suite: Suite
  run: SuiteRun
}

/** What the receiver has to reach, by folder and title of the suite; `all` is every case. */
const AIMS: { what: string; suites: RegExp; passed: number | 'all' }[] = [
  { what: 'SPF: at least 200 of 203', suites: /^spf-rfc7208-pyspf /, passed: 200 },
  { what: 'ARC: at least 168 of 171', suites: /^arc-valimail ARC: validation/, passed: 168 },
  { what: 'DKIM: all', suites: /^dkim-/, passed: 'all' },
  {
    what: 'MIME: no throw, bounded time and memory, the structure the suite wants unless a difference is explained below',
    suites: /^mime-/,
    passed: 'all',
  },
]

/** Names of cases and messages of strangers stay on their line and in their cell. */
const cell = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[\\|<>`*_]/g, (sign) => `\\${sign}`)
    .trim()

const passed = ({ total, differences }: SuiteRun): number => total - differences.length

/** To one decimal, and never rounded up to a hundred. */
export function share(run: SuiteRun): string {
  if (run.total === 0) return '–'
  return `${(Math.floor((passed(run) / run.total) * 1000) / 10).toFixed(1)} %`
}

const row = ({ suite, run }: Result): string =>
  `| ${cell(suite.title)} | ${cell(suite.rule)} | ${run.total} | ${passed(run)} | ${share(run)} |`

/** The part of the document that one suite answers for. */
export function section({ suite, run }: Result): string {
  const head = [
    `## ${cell(suite.title)}`,
    '',
    `\`${suite.folder}\`, ${cell(suite.rule)}: ${passed(run)} of ${run.total} (${share(run)}).`,
    ...(suite.source === undefined ? [] : ['', suite.source]),
  ]
  const byName = [...run.differences].sort((a, b) => (a.case < b.case ? -1 : Number(a.case > b.case)))
  const rows = byName.map((difference) => {
    const why = suite.explanations[difference.case] ?? '**not explained: to be mended**'
    return `| ${cell(difference.case)} | ${cell(difference.got)} | ${cell(difference.wanted)} | ${why.replace(/\s+/g, ' ').replaceAll('|', '\\|')} |`
  })
  const table = ['', '| case | result | expected | reason |', '| --- | --- | --- | --- |', ...rows]
  return `${[...head, ...(rows.length > 0 ? table : []), ...leftOutRows(suite.leftOut)].join('\n')}\n`
}

/** By their reasons, since many share one. */
function leftOutRows(leftOut: Record<string, string> = {}): string[] {
  const reasons = new Map<string, string[]>()
  for (const [name, why] of Object.entries(leftOut)) reasons.set(why, [...(reasons.get(why) ?? []), name])
  if (reasons.size === 0) return []
  const rows = [...reasons].map(([why, names]) => `| ${why} | ${names.sort().map(cell).join(', ')} |`)
  return ['', 'Not applicable, and not counted:', '', '| reason | cases |', '| --- | --- |', ...rows]
}

export function conformance(results: readonly Result[]): string {
  const parts = [
    '# Conformance',
    '',
    'Results of public test suites, with a reason for each difference. Made by `npm run conformance`, which runs the suites from `../shared/suites`, and',
    'those of MCP from `test/conformance` after `npm ci --prefix test/conformance`; they are not in this repository. The test of each suite (`test/suites`)',
    'fails on a difference without a reason here, and when its section here is outdated.',
    '',
    '| suite | rule | cases | passed | share |',
    '| --- | --- | ---: | ---: | ---: |',
    ...results.map(row),
    '',
    '## Aims',
    '',
    '| aim | reached |',
    '| --- | --- |',
    ...AIMS.map((aim) => `| ${aim.what} | ${reached(aim, results)} |`),
    '',
  ]
  return `${parts.join('\n')}\n${results.map(section).join('\n')}`.trimEnd().concat('\n')
}

function reached({ suites, passed: wanted }: (typeof AIMS)[number], results: readonly Result[]): string {
  const ours = results.filter(({ suite }) => suites.test(`${suite.folder} ${suite.title}`))
  if (ours.length === 0) return 'not run'
  const sum = (count: (result: Result) => number): number => ours.reduce((all, result) => all + count(result), 0)
  const [ok, total] = [sum(({ run }) => passed(run)), sum(({ run }) => run.total)]
  const unexplained = sum(
    ({ suite, run }) =>
      run.differences.filter((difference) => suite.explanations[difference.case] === undefined).length,
  )
  const counts = `${ok} of ${total}`
  if (wanted !== 'all') return `${ok >= wanted ? 'yes' : '**no**'}: ${counts}`
  if (ok === total) return `yes: ${counts}`
  return unexplained > 0 ? `**no**: ${counts}, ${unexplained} not explained` : `${counts}, the others explained`
}
