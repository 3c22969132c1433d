/** Tasks of daily reports: one per day and domain that looks up destinations, then one per destination. */

/** Ids begin with the day. */
export type DailyReportTask<D> =
  | { step: 'compose'; day: string; domain: string }
  /** `content` is the whole mail, one character per byte, or what is posted instead. */
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
