/** Limits of what one command may ask for. */

/** Ranges in all sequence sets of a command. */
export const MAX_RANGES = 10_000
export const MAX_SEARCH_KEYS = 200
/** Nesting of parentheses, NOT and OR. */
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
/** Options, items or parameters in a list, each of which is useful once. */
export const MAX_OPTIONS = 50
/** RFC 2971 §3.3. */
export const MAX_ID_FIELDS = 30
