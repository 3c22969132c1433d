/** What a rule found, and how findings become one number. */
import type { Category, GuardReason } from './types.js'

export interface Finding extends GuardReason {
  category: Exclude<Category, 'legitimate'>
  /** How likely a message with nothing but this is of the category, 0 to 1. */
  weight: number
  /** The words or the link that gave it away, as in the readable text; for marking it where a person looks. */
  excerpt?: string | undefined
}

/** How likely it is when the findings are taken as independent: each leaves a share of the doubt that the others left. */
export function risk(findings: Finding[]): number {
  return 1 - findings.reduce((doubt, { weight }) => doubt * (1 - weight), 1)
}
