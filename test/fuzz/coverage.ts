/** Which blocks of some files have run, as V8 itself counts them (node:inspector). */
import { Session, type Profiler } from 'node:inspector'

export interface Coverage {
  /** Whether the code that has run since the last call went where none had gone before. Nothing is noted. */
  peek(): boolean
  /** The same, and it is no news from then on. */
  take(): boolean
  /** How many functions and blocks have been reached. */
  reached(): number
  stop(): void
}

type Range = Profiler.CoverageRange

/** @param files tested against the URL of a script */
export function startCoverage(files: RegExp): Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /** Of each function that has run, the blocks in it that never have. V8 names a block only when its count differs from what is around it. */
  const unreached = new Map<string, Range[]>()
  let reached = 0

  /** The session is in this process, so the answer comes before `post` returns. */
  function scripts(): Profiler.ScriptCoverage[] {
    let result: Profiler.ScriptCoverage[] = []
    session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error) throw error
      result = answer.result
    })
    return result.filter(({ url }) => files.test(url))
  }

  function look(note: boolean): boolean {
    let isNew = false
    for (const { scriptId, functions } of scripts()) {
      for (const { ranges } of functions) {
        const [whole, ...blocks] = ranges
        if (!whole || whole.count === 0) continue
        const name = `${scriptId}:${whole.startOffset}:${whole.endOffset}`
        const zero = blocks.filter(({ count }) => count === 0)
        const before = unreached.get(name)
        const gone = before?.filter((block) => !zero.some((each) => contains(each, block))) ?? []
        if (before && gone.length === 0) continue
        isNew = true
        if (!note) return true
        reached += before ? gone.length : 1
        const left = before?.filter((block) => !gone.includes(block)) ?? []
        const inside = zero.filter((each) => !before || gone.some((block) => contains(block, each)))
        unreached.set(name, [...left, ...inside])
      }
    }
    return isNew
  }
  scripts()

  return {
    peek: () => look(false),
    take: () => look(true),
    reached: () => reached,
    stop: () => session.disconnect(),
  }
}

const contains = (outer: Range, inner: Range): boolean =>
  outer.startOffset <= inner.startOffset && outer.endOffset >= inner.endOffset
