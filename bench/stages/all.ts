/** The stages in the order in which a message meets them. */
import { handOver } from './hand-over.js'
import { authentication, index, readingAlternative, readingPlain, score, store } from './incoming.js'
import { accept, outgoingIndex, relaySession, sign, storeAndQueue } from './outgoing.js'
import { records } from './records.js'
import { session } from './session.js'
import type { StartStage } from './stage.js'

export interface NamedStage {
  /** Its key in `bench/budgets.json`. */
  id: string
  direction: 'in' | 'out'
  name: string
  start: StartStage
  /** Programs without which it can't run. */
  needs?: 'smtp-sink'
}

export const STAGES: readonly NamedStage[] = [
  { id: 'in.session', direction: 'in', name: 'SMTP session', start: session },
  { id: 'in.handOver', direction: 'in', name: 'hand-over to a judging thread and back', start: handOver },
  { id: 'in.reading', direction: 'in', name: 'reading', start: readingPlain },
  { id: 'in.readingAlternative', direction: 'in', name: 'reading, text and HTML', start: readingAlternative },
  { id: 'in.authentication', direction: 'in', name: 'SPF, DKIM, DMARC, DNS cached', start: authentication },
  { id: 'in.score', direction: 'in', name: 'spam score', start: score },
  { id: 'in.store', direction: 'in', name: 'store', start: store },
  { id: 'in.index', direction: 'in', name: 'index', start: index },
  { id: 'in.records', direction: 'in', name: 'log, receipt, limits', start: records },
  { id: 'out.accept', direction: 'out', name: 'accept, compose, guard', start: accept },
  { id: 'out.store', direction: 'out', name: 'store and queue', start: storeAndQueue },
  { id: 'out.sign', direction: 'out', name: 'sign, RSA and Ed25519', start: sign },
  { id: 'out.session', direction: 'out', name: 'relay session', start: relaySession, needs: 'smtp-sink' },
  { id: 'out.index', direction: 'out', name: 'index', start: outgoingIndex },
]
