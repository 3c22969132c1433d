/** The intake as a front process sees it: over the channel to the process with the store. */
import { shortened } from '../../mailbox/message.js'
import type { Intake } from '../intake/types.js'
import type { Channel } from './channel.js'
import type { IntakeMethods } from './protocol.js'

export function remoteIntake(channel: Channel<IntakeMethods>): Intake {
  return {
    arrive: (connection, ip) => channel.call('arrive', { connection, ip }),
    left: (connection) => channel.tell('left', connection),
    mail: (connection) => channel.call('mail', connection),
    recipient: (connection, question) => channel.call('recipient', { connection, ...question }),
    // The raw message is copied on its way, so nothing uses it after the answer.
    message({ raw, ...message }) {
      const { examined } = message
      return channel.call('message', { ...message, examined: { ...examined, parsed: shortened(examined.parsed) } }, raw)
    },
    receipt: (receipt) => channel.tell('receipt', receipt),
  }
}
