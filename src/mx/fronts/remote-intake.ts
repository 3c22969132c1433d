/** The intake as a front process sees it: over the channel to the process with the store. */
import { shortened } from '../../mailbox/message.js'
import type { Refusal } from '../../smtp/replies.js'
import type { Intake } from '../intake/types.js'
import type { Channel } from './channel.js'
import type { IntakeMethods } from './protocol.js'

/** MAIL is checked for the disk alone where there is no limit of messages; its state is looked at every two seconds there. */
const DISK_MS = 1000

/** @param limitsMail true if messages are counted at MAIL */
export function remoteIntake(channel: Channel<IntakeMethods>, { limitsMail }: { limitsMail: boolean }): Intake {
  let goodUntil = -Infinity

  async function mail(connection: string): Promise<Refusal | undefined> {
    const refusal = await channel.call('mail', connection)
    if (!refusal) goodUntil = performance.now() + DISK_MS
    return refusal
  }

  return {
    arrive: (connection, ip) => channel.call('arrive', { connection, ip }),
    left: (connection) => channel.tell('left', connection),
    mail: (connection) => (limitsMail || performance.now() >= goodUntil ? mail(connection) : undefined),
    recipient: (connection, question) => channel.call('recipient', { connection, ...question }),
    // The raw message is copied on its way, so nothing uses it after the answer.
    message({ raw, ...message }) {
      const { examined } = message
      return channel.call('message', { ...message, examined: { ...examined, parsed: shortened(examined.parsed) } }, raw)
    },
    receipt: (receipt) => channel.tell('receipt', receipt),
  }
}
