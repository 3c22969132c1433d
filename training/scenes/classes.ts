/** What abusive mail is after, and which of the guard's categories that is. */
import { ABUSE_CLASSES, type AbuseClass } from '../../src/guard/abuse-classes.js'
import type { Label } from '../sample.js'

export type { AbuseClass }

export const CLASSES: Record<AbuseClass, Label> = {
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
}

export function isAbuseClass(name: string): name is AbuseClass {
  return ABUSE_CLASSES.some((known) => known === name)
}
