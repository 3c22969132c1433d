/** Classes of abuse, by the aim of the sender. Findings have one, and the text model predicts one from the words. */
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

export type AbuseClass = (typeof ABUSE_CLASSES)[number]
