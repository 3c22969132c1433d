/** What abusive mail is after, and which of the guard's categories that is. */
import type { Label } from '../sample.js'

export const CLASSES = {
  credentials: 'phishing',
  bec: 'scam',
  'gift-cards': 'scam',
  'advance-fee': 'scam',
  romance: 'scam',
  crypto: 'scam',
  jobs: 'scam',
  extortion: 'scam',
  malware: 'phishing',
  marketplace: 'scam',
  parcels: 'phishing',
  orders: 'phishing',
  harassment: 'spam',
  bulk: 'spam',
} as const satisfies Record<string, Label>

export type AbuseClass = keyof typeof CLASSES

export function isAbuseClass(name: string): name is AbuseClass {
  return Object.hasOwn(CLASSES, name)
}
