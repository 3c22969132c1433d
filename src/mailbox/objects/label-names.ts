/** The labels that say where a message stands. */

/** Of mail that came in. It and `spam` exclude each other. */
export const INBOX_LABEL = 'inbox'
export const SPAM_LABEL = 'spam'
/** Of what was let go to its recipients, and is counted as sent. */
export const SENT_LABEL = 'sent'

export const isSpam = ({ labels }: { labels: readonly string[] }): boolean => labels.includes(SPAM_LABEL)
