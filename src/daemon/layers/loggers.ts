/** The loggers of the daemon's parts. */
import type { Logger } from '../../observe/log.js'

export interface Loggers {
  /** Logger of one part. */
  part(name: string): Logger
  /** Sets the level of every logger: a child keeps the level it was made with. */
  setLevel(level: string): void
}

export function createLoggers(root: Logger): Loggers {
  const all = [root]
  return {
    part(name) {
      const child = root.child({ part: name })
      all.push(child)
      return child
    },
    setLevel(level) {
      for (const logger of all) logger.level = level
    },
  }
}
