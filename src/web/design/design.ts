/** The look of the pages: one stylesheet and one icon, served by this server. */
import { BASE } from './base.js'
import { DOCS } from './docs.js'
import { INBOX } from './inbox.js'
import { PARTS } from './parts.js'
import { TOKENS } from './tokens.js'

export const STYLE = `${TOKENS}${BASE}${PARTS}${INBOX}${DOCS}\n`.trimStart()

/** An envelope with an open flap; its colours have enough contrast on light and dark grounds. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#0b5c5c"/><path d="M5 9.5 12 5l7 4.5V18H5z" fill="none" stroke="#fff" stroke-width="1.6" stroke-linejoin="round"/><path d="m5 10 7 4.6L19 10" fill="none" stroke="#fff" stroke-width="1.6" stroke-linejoin="round"/></svg>'
