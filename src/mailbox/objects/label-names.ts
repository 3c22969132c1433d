/** Labels for where a message is. */

/** Incoming mail. Excludes `spam`. */
export const INBOX_LABEL = 'inbox'
export const SPAM_LABEL = 'spam'
/** Released to its recipients and counted as sent. */
export const SENT_LABEL = 'sent'

export const isSpam = ({ labels }: { labels: readonly string[] }): boolean => labels.includes(SPAM_LABEL)
