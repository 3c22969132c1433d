/** The loggers of the daemon's parts. */
import type { Logger } from '../../observe/log.js'

export type Loggers = ReturnType<typeof createLoggers>

export function createLoggers(root: Logger) {
  const all = [root]
  const listeners: ((level: string) => void)[] = []
  return {
    part(name: string): Logger {
      const child = root.child({ part: name })
      all.push(child)
      return child
    },
    /** Sets the level of every logger: a child keeps the level it was made with. */
    setLevel(level: string): void {
      for (const logger of all) logger.level = level
      for (const changed of listeners) changed(level)
    },
    /** For loggers of other processes. */
    onLevel(changed: (level: string) => void): void {
      listeners.push(changed)
    },
  }
}
