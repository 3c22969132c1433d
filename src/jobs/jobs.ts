/** Background jobs: tasks of accepted mail and of claims, the search index, and the periodic sweeps: local ones on every node, others on the one that owns shard 0. */
import { MAIL_SIGN_IN_KIND, type MailSignIn, type MailSignInTask } from '../accounts/sign-in/mail-sign-in.js'
import type { Shards } from '../cluster/types.js'
import type { Claims, ClaimTask } from '../lifecycle/claims/types.js'
import type { Indexer } from '../mailbox/search/indexer.js'
import { SCHEDULED_KIND, type CheckTask } from '../mailbox/tasks.js'
import type { OutboundMail } from '../mailbox/composition/mailboxes.js'
import type { Task, TaskOutcome, WorkQueue } from '../queue/types.js'
import { startIndexing } from './indexing.js'
import type { Sweep } from './retention.js'
import { startSweeping, type Sweeping, type SweepingDeps } from './sweeping.js'

export interface JobsDeps extends SweepingDeps {
  shards: Shards
  queue: WorkQueue
  mailboxes: { outbound: Pick<OutboundMail, 'runCheck' | 'runScheduled'> }
  claims: Pick<Claims, 'expire'>
  mailSignIn: Pick<MailSignIn, 'run'>
  indexer: Indexer
}

export function startJobs(deps: JobsDeps) {
  const { store, shards, queue, log } = deps
  const options = {
    onError: (err: unknown, { id, attempts }: Task<unknown>) =>
      log.error({ err, task_id: id, attempts }, 'task failed; it is tried again'),
    onQueueError: (err: unknown) => log.error({ err }, 'the work queue failed; it is tried again'),
  }
  const workers = [
    queue.run<CheckTask>('check', (task) => check(deps, task), { ...options, concurrency: 16 }),
    queue.run<CheckTask>(SCHEDULED_KIND, (task) => scheduled(deps, task), { ...options, concurrency: 8 }),
    queue.run<ClaimTask>('claim', (task) => deps.claims.expire(task.payload.claim_id), { ...options, concurrency: 4 }),
    queue.run<MailSignInTask>(MAIL_SIGN_IN_KIND, (task) => deps.mailSignIn.run(task), { ...options, concurrency: 4 }),
  ]

  const indexing = startIndexing({
    store,
    shards,
    indexer: deps.indexer,
    concurrency: 2,
    onError: (err, mailboxId) => log.error({ err, mailbox_id: mailboxId }, 'indexing failed; it is tried again'),
  })
  // Commits whose notification was lost.
  const checkAll: Sweep = {
    name: 'index',
    schedule: '37 * * * *',
    isLocal: true,
    run: async () => (await indexing.checkAll(), {}),
  }

  const sweeps = [...deps.sweeps, checkAll]
  const local = startSweeping({ ...deps, sweeps: sweeps.filter(({ isLocal }) => isLocal) })
  void local.run(checkAll)
  let sweeping: Sweeping | undefined
  const stopFollowing = shards.follow('jobs', {
    gain(shard) {
      if (shard === 0) sweeping = startSweeping({ ...deps, sweeps: sweeps.filter(({ isLocal }) => !isLocal) })
    },
    async lose(shard) {
      if (shard === 0) await sweeping?.stop()
    },
  })

  return {
    /** Runs every sweep now, one after the other, as the schedule would. */
    async sweep(): Promise<void> {
      for (const sweep of sweeps) await (sweep.isLocal ? local : sweeping)?.run(sweep)
    },
    /** Starts nothing new; resolves when running work has ended. */
    async stop(): Promise<void> {
      stopFollowing()
      await Promise.all([local.stop(), sweeping?.stop(), indexing.stop(), ...workers.map((worker) => worker.stop())])
    },
  }
}

async function check({ mailboxes }: JobsDeps, { payload }: Task<CheckTask>): Promise<TaskOutcome<CheckTask>> {
  await mailboxes.outbound.runCheck(payload.mailbox_id, payload.message_id)
  return { done: true }
}

async function scheduled({ mailboxes }: JobsDeps, { payload }: Task<CheckTask>): Promise<TaskOutcome<CheckTask>> {
  const outcome = await mailboxes.outbound.runScheduled(payload.mailbox_id, payload.message_id)
  return outcome === 'done' ? { done: true } : { done: false, ...outcome }
}
