/** Runs checks concurrently, each with its own time limit, so that a hanging server delays only its own result. */
import { join } from 'node:path'
import { messageOf } from '../../lib/thrown.js'
import { SECOND, timestamp, type Clock } from '../../lib/clock.js'
import { shown, unknown } from './finding.js'
import { GROUPS, type Check, type Finding, type Group, type Report, type Result } from './types.js'

/** Longer than the resolver takes to give up (10 s), so that its error is reported. */
const CHECK_MS = 15 * SECOND

export interface RunOptions {
  version: string
  clock: Clock
  timeoutMs?: number
  /** Folder of settings, for the names of files in remedies. */
  configDir?: string | undefined
}

export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<Report> {
  const { version, clock, timeoutMs = CHECK_MS } = options
  const results = (await Promise.all(checks.map((check) => runOne(check, timeoutMs)))).flat().map(placed(options))
  results.sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group))
  const counts = { ok: 0, skipped: 0, unknown: 0, warning: 0, failed: 0 }
  for (const { state } of results) counts[state]++
  const state = counts.failed > 0 ? 'failed' : counts.warning > 0 ? 'warning' : 'ok'
  return { version, at: timestamp(clock.now()), state, counts, checks: results }
}

async function runOne({ id, run }: Check, timeoutMs: number): Promise<Result[]> {
  const controller = new AbortController()
  const over = new Promise<Finding>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(unknown(`there was no answer within ${timeoutMs} ms`)))
  })
  const timer = setTimeout(() => controller.abort(new Error('time limit reached')), timeoutMs)
  try {
    const found = [await Promise.race([run(controller.signal), over])].flat()
    return found.map((finding) => resultOf(id, finding))
  } catch (error) {
    return [resultOf(id, unknown(`the check failed: ${shown(messageOf(error))}`))]
  } finally {
    clearTimeout(timer)
  }
}

function resultOf(id: string, { subject, state, finding, remedy }: Finding): Result {
  return { id, group: groupOf(id), subject: subject ?? null, state, finding, remedy }
}

function groupOf(id: string): Group {
  const group = GROUPS.find((name) => id.startsWith(`${name}.`))
  if (!group) throw new Error(`a check without a group: ${id}`)
  return group
}

/** Adds the folder of settings to the files of remedies, if known. */
function placed({ configDir }: RunOptions): (result: Result) => Result {
  return (result) => {
    if (configDir === undefined) return result
    const remedy = result.remedy.map((each) =>
      each.file === null ? each : { ...each, file: join(configDir, each.file) },
    )
    return { ...result, remedy }
  }
}
