/** Examines a message from the last byte of its data on: loops are refused; then it is scanned, parsed, authenticated and scored in parallel. */
import { LOOP, malformed, type Refused } from '../../smtp/replies.js'
import { isLooping } from './loops.js'
import type { Examined, Examinee, Judging } from './types.js'

export interface ExamineDeps {
  hostname: string
  maxReceived: number
  judging: Judging
}

/** @param isRead gets promises of all that reads the message, which may outlast the result */
export async function examine(
  { hostname, maxReceived, judging: { judge, scanner, filter } }: ExamineDeps,
  message: Examinee,
  isRead: (work: Promise<unknown>) => void,
): Promise<Examined | Refused> {
  const { raw, clientAddress: ip, helo, from: mailFrom, client } = message
  if (isLooping(raw, hostname, maxReceived)) return { kind: 'refused', reply: LOOP }
  // Scanner and filter are independent of the rest, and the scanner is slowest; neither throws.
  const scan = scanner.scan(raw)
  isRead(scan)
  const rating = filter?.rate({ ...message, clientName: client.name })
  if (rating) isRead(rating)
  const judging = judge({ raw, ip, helo, mailFrom, client })
  isRead(judging)
  const judgement = await judging
  if (judgement.kind === 'malformed') return { kind: 'refused', reply: malformed(judgement.problem) }
  const { parsed, verification, spam, dependsOnParent, words } = judgement
  return { parsed, verification, spam, dependsOnParent, words, scan: await scan, rating: await rating }
}
