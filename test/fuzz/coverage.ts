/** Which blocks of some files have run, as V8 itself counts them (node:inspector). */
import { Session, type Profiler } from 'node:inspector'

export interface Coverage {
  /** Whether the code that has run since the last call went where none had gone before: another block, or one far more often. */
  isNew(): boolean
  /** How many such places are known. */
  known(): number
  stop(): void
}

/** @param files tested against the URL of a script */
export function startCoverage(files: RegExp): Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const known = new Set<string>()

  /** The session is in this process, so the answer comes before `post` returns. */
  function counts(): Profiler.ScriptCoverage[] {
    let result: Profiler.ScriptCoverage[] = []
    session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error) throw error
      result = answer.result
    })
    return result
  }
  counts()

  return {
    isNew() {
      const before = known.size
      for (const { scriptId, url, functions } of counts()) {
        if (!files.test(url)) continue
        for (const { ranges } of functions) {
          for (const { startOffset, endOffset, count } of ranges) {
            known.add(`${scriptId}:${startOffset}:${endOffset}:${magnitude(count)}`)
          }
        }
      }
      return known.size > before
    },
    known: () => known.size,
    stop: () => session.disconnect(),
  }
}

/** Twice as often is another way through a loop; one time more is not. */
const magnitude = (count: number): number => 32 - Math.clz32(count)
