/** Last words to clients that are refused: they may read them, but not stay, as nothing counts their connections. */
import type { Socket } from 'node:net'

/** Further ones are dropped without a word. */
const MAX_LINGERING = 200

/** @param lingerMs time to read the last words */
export function createLingering(lingerMs: number) {
  let count = 0
  return {
    /** @returns false if there are too many: the client is told nothing */
    close(socket: Socket, lastWords: string | Uint8Array): boolean {
      if (count >= MAX_LINGERING) {
        socket.destroy()
        return false
      }
      count++
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
      socket.once('close', () => {
        count--
        clearTimeout(timer)
      })
      socket.end(lastWords)
      // Unread data would turn the close into a reset that drops the last words.
      socket.resume()
      return true
    },
  }
}
