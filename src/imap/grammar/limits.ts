/** Limits of what one command may ask for. */

/** Of all sequence sets of a command together. */
export const MAX_RANGES = 10_000
export const MAX_SEARCH_KEYS = 200
/** Of parentheses, NOT and OR within each other. */
export const MAX_SEARCH_DEPTH = 50
export const MAX_SORT_KEYS = 20
export const MAX_FETCH_ITEMS = 100
export const MAX_HEADER_NAMES = 100
/** Numbers of a section such as `1.2.3`. */
export const MAX_PART_DEPTH = 100
export const MAX_PATTERNS = 100
/** Names of one group of NOTIFY. */
export const MAX_NOTIFY_MAILBOXES = 200
export const MAX_NOTIFY_GROUPS = 20
/** Of keywords of which each is of use once: options, items, parameters. */
export const MAX_OPTIONS = 50
/** RFC 2971 §3.3. */
export const MAX_ID_FIELDS = 30
