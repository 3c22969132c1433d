/** CPU and memory of a process or a process group, from /proc. */
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'

/** Linux counts CPU time in ticks of 1/100 s for everybody (USER_HZ). */
const TICK_MS = 10

/** User and system time so far, of all threads; with that of ended children when asked. */
export async function cpuMs(pid: number, withChildren = false): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  const ticks = (withChildren ? [11, 12, 13, 14] : [11, 12]).map((at) => Number(fields[at]))
  return ticks.reduce((sum, value) => sum + value, 0) * TICK_MS
}

/** Time on a CPU of each thread of a process so far, by its id; the main thread has the id of the process. */
export async function threadCpuMs(pid: number): Promise<Map<number, number>> {
  const ids = await readdir(`/proc/${pid}/task`)
  const times = ids.map(async (id): Promise<[number, number]> => {
    const nanoseconds = (await readFile(`/proc/${pid}/task/${id}/schedstat`, 'utf8')).split(' ')[0]
    return [Number(id), Number(nanoseconds) / 1e6]
  })
  return new Map(await Promise.all(times))
}

/** CPU time of all processes in the mount namespace of `pid`, those that have ended included where their parent lives. */
export async function namespaceCpuMs(pid: number): Promise<number> {
  const namespace = await readlink(`/proc/${pid}/ns/mnt`)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const times = await Promise.all(
    pids.map(async (each) => {
      try {
        return (await readlink(`/proc/${each}/ns/mnt`)) === namespace ? await cpuMs(each, true) : 0
      } catch (error) {
        // It ended between the listing and the reading; its parent has its time.
        if (error instanceof Error && 'code' in error) return 0
        throw error
      }
    }),
  )
  return times.reduce((sum, value) => sum + value, 0)
}

async function statusKilobytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
}

export const residentKilobytes = (pid: number): Promise<number> => statusKilobytes(pid, 'VmRSS')

/** The most it has had resident since the start, or since `forgetPeak`. */
export const peakKilobytes = (pid: number): Promise<number> => statusKilobytes(pid, 'VmHWM')

/** proc(5): writing 5 to clear_refs sets the peak to what is resident now. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')
