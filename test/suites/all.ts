/** The public suites that `npm run conformance` runs, in the order of docs/conformance.md. */
import type { Suite } from './suite.js'

export const suites: readonly Suite[] = []
