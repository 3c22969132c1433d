/** What abusive mail is after. Findings name it, and the text model tells it from the words. */
export const ABUSE_CLASSES = [
  'credentials',
  'bec',
  'gift-cards',
  'advance-fee',
  'romance',
  'crypto',
  'jobs',
  'extortion',
  'malware',
  'marketplace',
  'parcels',
  'orders',
  'harassment',
  'bulk',
] as const

/** What abusive mail is after. */
export type AbuseClass = (typeof ABUSE_CLASSES)[number]
