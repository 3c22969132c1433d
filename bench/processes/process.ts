/** CPU and memory of a process with its front processes, or of a process group, from /proc. */
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'

/** Linux counts CPU time in ticks of 1/100 s for everybody (USER_HZ). */
const TICK_MS = 10

/** Children that run now, after the process itself. */
async function family(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
}

const sumOf = async (pid: number, number: (pid: number) => Promise<number>): Promise<number> => {
  const numbers = await Promise.all((await family(pid)).map(number))
  return numbers.reduce((sum, each) => sum + each, 0)
}

/** User and system time so far, of all threads, with that of the children that run now. */
export const cpuMs = (pid: number): Promise<number> => sumOf(pid, (each) => ownCpuMs(each))

/** User and system time so far, of all threads; with that of ended children when asked. */
async function ownCpuMs(pid: number, withChildren = false): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  const ticks = (withChildren ? [11, 12, 13, 14] : [11, 12]).map((at) => Number(fields[at]))
  return ticks.reduce((sum, value) => sum + value, 0) * TICK_MS
}

/** That of a server that has a process for each connection; those that have ended included. */
export async function serverCpuMs(pid: number): Promise<number> {
  const [, ...children] = await family(pid)
  const times = await Promise.all(
    children.map(async (child) => {
      try {
        return await ownCpuMs(child)
      } catch (error) {
        // It ended meanwhile: the server has its time.
        if (error instanceof Error && 'code' in error) return 0
        throw error
      }
    }),
  )
  return times.reduce((sum, value) => sum + value, await ownCpuMs(pid, true))
}

/** Time on a CPU of each thread of a process and its children so far, by its id; a main thread has the id of its process. */
export async function threadCpuMs(pid: number): Promise<Map<number, number>> {
  const all = await Promise.all((await family(pid)).map(ownThreadCpuMs))
  return new Map(all.flatMap((threads) => [...threads]))
}

async function ownThreadCpuMs(pid: number): Promise<Map<number, number>> {
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
        return (await readlink(`/proc/${each}/ns/mnt`)) === namespace ? await ownCpuMs(each, true) : 0
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

export const residentKilobytes = (pid: number): Promise<number> => sumOf(pid, (each) => statusKilobytes(each, 'VmRSS'))

/** The most it has had resident since the start, or since `forgetPeak`. */
export const peakKilobytes = (pid: number): Promise<number> => sumOf(pid, (each) => statusKilobytes(each, 'VmHWM'))

/** proc(5): writing 5 to clear_refs sets the peak to what is resident now. */
export async function forgetPeak(pid: number): Promise<void> {
  for (const each of await family(pid)) await writeFile(`/proc/${each}/clear_refs`, '5')
}
