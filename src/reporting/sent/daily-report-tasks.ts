/** The tasks of daily reports: one for each day and domain that looks up who wants the report, then one for each of those. */

/** The id of either begins with its day. */
export type DailyReportTask<D> =
  | { step: 'compose'; day: string; domain: string }
  /** `content` is the whole mail, a character for each byte, or what is handed over in its place. */
  | { step: 'send'; domain: string; destination: D; content: string }

export function composeId(day: string, domain: string): string {
  return `${day}:${domain}`
}

export function sendId(day: string, domain: string, index: number): string {
  return `${composeId(day, domain)}:${index}`
}

export function dayOf(taskId: string): string {
  return taskId.slice(0, taskId.indexOf(':'))
}
