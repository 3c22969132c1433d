/** A pool's thread for tests: it does what its job says. */
import { BroadcastChannel } from 'node:worker_threads'
import { serveJobs } from '../../../dist/lib/thread-pool.js'

serveJobs(async (job) => {
  switch (job.kind) {
    case 'fail':
      throw new Error(job.name)
    case 'hold': {
      const told = new BroadcastChannel('odd-jobs')
      told.postMessage(job.name)
      told.close()
      // It hears nothing else meanwhile, as work that is at it.
      Atomics.wait(new Int32Array(job.gate), 0, 0)
      return { value: job.name }
    }
    case 'grow': {
      const all = []
      for (;;) all.push(new Array(1e5).fill(all.length))
    }
    default:
      return { value: job.name }
  }
})
