/** What every stage is: something that handles a stretch of messages, alone in its process. */
import type { MailFile, Mail } from './sources.js'

export interface Stage {
  /** What has to be there before; not counted. */
  prepare?(from: number, to: number): Promise<void>
  /** Handles the messages, some at once. */
  run(from: number, to: number): Promise<void>
  close(): Promise<void>
}

/** @param file mail of one source */
export type StartStage = (file: MailFile) => Promise<Stage>

/** Message `n` of a run; a source has fewer than a run is long. */
export function mailAt({ mails }: Pick<MailFile, 'mails'>, n: number): Mail {
  const mail = mails[n % mails.length]
  if (!mail) throw new Error('no mail')
  return mail
}

/** Runs `work` for each number, so many at once. */
export async function each(
  from: number,
  to: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = from
  const lane = async (): Promise<void> => {
    while (next < to) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

export const nothing = async (): Promise<void> => undefined
