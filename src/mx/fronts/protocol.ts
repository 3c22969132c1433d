/** Calls between a front process and the process with the store. */
import type { MetricChange } from '../../observe/forwarded.js'
import type { Receipt } from '../../receipts/types.js'
import type { Refusal } from '../../smtp/replies.js'
import type { Outcome, RecipientAnswer, RecipientQuestion, ExaminedMessage } from '../intake/types.js'
import type { FrontSettings, SentCertificate } from './settings.js'

/** `body` is the raw message. */
export interface IntakeMethods {
  arrive(client: { connection: string; ip: string }): Refusal | undefined | Promise<Refusal | undefined>
  left(connection: string): void
  mail(connection: string): Refusal | undefined | Promise<Refusal | undefined>
  recipient(question: RecipientQuestion & { connection: string }): RecipientAnswer | Promise<RecipientAnswer>
  message(message: Omit<ExaminedMessage, 'raw'>, body?: Buffer): Promise<Outcome>
  receipt(receipt: Receipt): void
  /** Whole lines, as the log writes them. */
  log(lines: string): void
  metrics(changes: MetricChange[]): void
}

export interface FrontMethods {
  /** Builds the parts and listens. */
  start(settings: FrontSettings): Promise<void>
  makeRoom(network: string): string | undefined | Promise<string | undefined>
  gauges(nothing: null): Promise<Record<string, number>>
  certificate(certificate: SentCertificate | undefined): void
  level(level: string): void
  ping(nothing: null): void
  /** Resolves when all messages in progress have their reply, or after the grace period. */
  close(graceMs: number): Promise<void>
}
