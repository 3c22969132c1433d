/** The tasks of reports on TLS: one for each day and domain that looks up who wants the report, then one for each of those. */
import type { Destination } from './tls-report.js'

export const REPORT_KIND = 'tls-report'

/** The id of either begins with its day. */
export type ReportTask =
  | { step: 'compose'; day: string; domain: string }
  /** `content` is the whole mail, a character for each byte, or the compressed report in base64. */
  | { step: 'send'; domain: string; destination: Destination; content: string }

export function composeId(day: string, domain: string): string {
  return `${day}:${domain}`
}

export function sendId(day: string, domain: string, index: number): string {
  return `${composeId(day, domain)}:${index}`
}

export function dayOf(taskId: string): string {
  return taskId.slice(0, taskId.indexOf(':'))
}
