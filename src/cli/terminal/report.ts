/** A report of the doctor as it is read on a terminal. */
import type { Remedy, Report, Result, State } from '../../ops/doctor/types.js'
import { printable } from './output.js'

/** SGR parameters of ECMA-48: green, faint, blue, yellow, red. */
const COLOURS: Record<State, number> = { ok: 32, skipped: 2, unknown: 34, warning: 33, failed: 31 }
const REMEDIES: Record<Remedy['kind'], string> = { command: 'run', record: 'publish', setting: 'set', advice: 'do' }
const SIGN_WIDTH = 7

/** All results by group, then what to do, worst last: it stands above the prompt. */
export function wordsOfReport(report: Report, colours: boolean): string {
  const { checks, counts } = report
  const groups = [...new Set(checks.map(({ group }) => group))]
  const listed = groups.map((group) =>
    [group, ...checks.filter((check) => check.group === group).map((check) => lineOf(check, colours))].join('\n'),
  )
  const todo = (['unknown', 'warning', 'failed'] as const).flatMap((state) =>
    checks.filter((check) => check.state === state && check.remedy.length > 0).map((check) => toDo(check, colours)),
  )
  const summary = `${counts.ok} ok, ${counts.skipped} skipped, ${counts.unknown} unknown, ${counts.warning} ${counts.warning === 1 ? 'warning' : 'warnings'}, ${counts.failed} failed`
  return [...listed, ...(todo.length > 0 ? ['To do', ...todo] : []), summary].join('\n\n')
}

function lineOf(check: Result, colours: boolean): string {
  return `  ${sign(check.state, colours)}  ${nameOf(check)}: ${printable(check.finding)}`
}

function toDo(check: Result, colours: boolean): string {
  return [
    `${sign(check.state, colours)}  ${nameOf(check)}: ${printable(check.finding)}`,
    ...check.remedy.map(({ kind, text, file }) => {
      const where = file === null ? '' : `in ${file}: `
      return `    ${REMEDIES[kind].padEnd(SIGN_WIDTH)}  ${where}${printable(text)}`
    }),
  ].join('\n')
}

function nameOf({ id, subject }: Result): string {
  return subject === null ? id : `${id} (${printable(subject)})`
}

function sign(state: State, colours: boolean): string {
  const text = (state === 'failed' ? 'FAILED' : state).padEnd(SIGN_WIDTH)
  return colours ? `\u001b[${COLOURS[state]}m${text}\u001b[0m` : text
}
