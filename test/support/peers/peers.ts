/**
 * Programs that a test talks to. A missing one means that the test is skipped and says so; with `REQUIRE_PEERS=1` it is a
 * failure.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * For the options of a test: `t.test('…', peer('clamd', '/usr/sbin/clamd'), async (t) => …)`.
 *
 * @param name what it is called in the message
 * @param path where it has to be
 * @throws Error when it is missing and `REQUIRE_PEERS=1`
 */
export function peer(name: string, path: string): { skip: string | false } {
  try {
    accessSync(path, constants.X_OK)
    return { skip: false }
  } catch (error) {
    const message = `${name} is not installed (${path})`
    if (process.env.REQUIRE_PEERS === '1') throw new Error(message, { cause: error })
    return { skip: message }
  }
}

/** For the options of a test that needs several peers: what the first missing one says. */
export function allPeers(...peers: { skip: string | false }[]): { skip: string | false } {
  return peers.find(({ skip }) => skip !== false) ?? { skip: false }
}

/** Path of a program in PATH; undefined when it is not installed. */
export function programPath(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
