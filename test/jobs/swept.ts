/** Jobs with the sweeps of retention, from one object of parts. */
import type { JobsDeps } from '../../src/jobs/jobs.js'
import { sweepsOf, type RetentionDeps, type Sweep } from '../../src/jobs/retention.js'

export type SweptDeps = Omit<JobsDeps, 'sweeps'> & RetentionDeps & { also?: readonly Sweep[] }

export function withSweeps(deps: SweptDeps): JobsDeps {
  return { ...deps, sweeps: [...sweepsOf(deps), ...(deps.also ?? [])] }
}
