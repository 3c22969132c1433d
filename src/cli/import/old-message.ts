/** A message of an old mailbox, as the files of other programs have it. */
export interface OldMessage {
  /** File and place in it, shown for a message that was refused. */
  where: string
  raw: Buffer
  flags: ('seen' | 'flagged' | 'answered' | 'deleted')[]
  keywords: string[]
  /** When it was received, in milliseconds since the epoch; undefined if nothing says so. */
  receivedAt: number | undefined
}

/** One that is not read: what is wrong with it. */
export interface UnreadMessage {
  where: string
  problem: string
}

/** Messages of one folder, in the order in which they are stored. */
export interface OldFolder {
  /** As the mailbox calls it. */
  name: string
  messages: () => AsyncIterable<OldMessage | UnreadMessage>
}

/** Larger messages are not read: no mailbox takes them. */
export const MAX_READ_BYTES = 128 * 1024 * 1024

export const tooLarge = (where: string, maxBytes = MAX_READ_BYTES): UnreadMessage => ({
  where,
  problem: `The message is larger than ${maxBytes} bytes.`,
})
