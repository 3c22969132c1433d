/** A finding of a rule, and how findings add up to one risk. */
import type { Category, GuardReason } from './types.js'

export interface Finding extends GuardReason {
  category: Exclude<Category, 'legitimate'>
  /** Probability that a message with only this finding belongs to the category, 0 to 1. */
  weight: number
  /** The matching words or link, as in the readable text; marked where staff review the message. */
  excerpt?: string | undefined
}

/** A finding as a reason of a verdict. */
export function reasonOf({ code, detail, class: of }: Finding): GuardReason {
  return { code, detail, ...(of !== undefined && { class: of }) }
}

/** Combined probability of independent findings: each removes its share of the doubt that the others left. */
export function risk(findings: Finding[]): number {
  return 1 - findings.reduce((doubt, { weight }) => doubt * (1 - weight), 1)
}
