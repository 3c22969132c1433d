/** Webhooks over an engine under test, with real requests on the loopback address, a clock that is moved, and one approved mailbox. */
import { setImmediate as tick } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Letter } from '../../src/accounts/letters.js'
import type { AccountRecord } from '../../src/accounts/types.js'
import { ownAll } from '../../src/cluster/alone.js'
import { ManualClock } from '../../src/lib/clock.js'
import { newId } from '../../src/lib/ids.js'
import { appendEvent } from '../../src/mailbox/events.js'
import type { EventType } from '../../src/mailbox/objects/objects.js'
import { changeMailbox, createMailbox } from '../../src/mailbox/record.js'
import { createDeliveries } from '../../src/mailbox/webhooks/deliveries.js'
import { createSecretBox } from '../../src/mailbox/webhooks/secrets.js'
import { Webhooks } from '../../src/mailbox/webhooks/webhooks.js'
import type { Store } from '../../src/store/types.js'
import { createByHand } from '../../src/webhooks/manual.js'
import { startDispatcher, type Dispatcher, type DispatcherDeps } from '../../src/webhooks/dispatcher.js'
import { createRoom } from '../../src/webhooks/concurrency.js'
import { createSender } from '../../src/webhooks/sender.js'
import { createWebhookService, type WebhookService } from '../../src/webhooks/service.js'
import { createDisabledNotice } from '../../src/webhooks/notices.js'
import { fakeResolver } from '../support/peers/fake-resolver.js'
import { ENGINES } from '../store/engines.js'
import { accountRecord } from '../support/account.js'

export const MASTER_KEY = Buffer.alloc(32, 9)

export interface World {
  store: Store
  clock: ManualClock
  mailboxId: string
  account: AccountRecord
  letters: { id: string; letter: Letter }[]
  webhooks: WebhookService
  dispatcher: Dispatcher
  errors: unknown[]
  /** Writes events into the log. @returns their numbers */
  happen(...types: EventType[]): Promise<number[]>
  /** All lanes have nothing to do. */
  settled(): Promise<void>
  /** Moves the clock, and has the lanes look at it. */
  later(ms: number): Promise<void>
  stop(): Promise<void>
}

export function onEveryEngine(name: string, body: (test: Test, world: World) => Promise<void>): void {
  for (const engine of ENGINES) {
    t.test(`${name} (${engine.name})`, async (test) => body(test, await makeWorld(test, engine.openStore(test))))
  }
}

/**
 * @param before the world whose process died, or another node: its mailbox, clock and account go on over this store
 * @param options `node` for one node among others
 */
export async function makeWorld(
  test: Test,
  store: Store,
  before?: World,
  options: {
    timeoutMs?: number
    allowPrivateAddresses?: boolean
    ownPorts?: number[]
    node?: Partial<Pick<DispatcherDeps, 'store' | 'shards' | 'retryMs'>>
  } = {},
): Promise<World> {
  const clock = before?.clock ?? new ManualClock()
  const mailboxId = before?.mailboxId ?? newId('mbx', clock.now())
  const account: AccountRecord = before?.account ?? accountRecord({ id: newId('acc'), owner: 'owner@example.org' })
  const now = clock.now()
  const address = 'agent@agents.example'
  await createMailbox(store, {
    id: mailboxId,
    address,
    agentName: null,
    claimId: null,
    status: 'claimed',
    accountId: account.id,
    now,
  })
  const rules = {
    ports: Array.from({ length: 65_536 }, (_, port) => port),
    allowHttp: true,
    allowPrivateAddresses: options.allowPrivateAddresses ?? true,
    own: 'mail.example.org:443',
    ownPorts: new Set(options.ownPorts),
  }
  const box = createSecretBox(MASTER_KEY)
  const deliveries = createDeliveries({ store, clock, jitter: () => 0 })
  const webhooks = new Webhooks({ store, clock, box, rules, maxPerMailbox: 3 })
  const sender = createSender({
    resolver: fakeResolver((name, type) => (name === 'hooks.example' && type === 'A' ? ['127.0.0.1'] : 'not_found')),
    clock,
    box,
    rules,
    room: createRoom({ all: 50, perAddress: 20 }),
    timeoutMs: options.timeoutMs ?? 5000,
    userAgent: 'Restante/test',
  })
  const letters: World['letters'] = before?.letters ?? []
  const errors: unknown[] = []
  const dispatcher = startDispatcher({
    store,
    shards: ownAll(),
    clock,
    deliveries,
    sender,
    isActive: async () => account.status === 'active',
    notifyDisabled: createDisabledNotice({
      store,
      clock,
      accounts: { get: async () => account },
      letters: { post: async (id, letter) => void letters.push({ id, letter }) },
      deliveries,
      baseUrl: 'https://mail.example.org',
    }),
    onResult: () => undefined,
    onError: (error) => errors.push(error),
    ...options.node,
  })
  const stop = async (): Promise<void> => {
    await dispatcher.stop(AbortSignal.abort())
    sender.close()
  }
  test.teardown(stop)
  const settled = async (): Promise<void> => {
    // Hints of commits come late; nothing is at work when nobody has had anything to do for a while.
    for (let quiet = 0; quiet < 30; quiet++) {
      await tick()
      if ([...dispatcher.lanes].some(({ lane }) => !lane.isIdle)) quiet = 0
    }
  }
  return {
    store,
    clock,
    mailboxId,
    account,
    letters,
    dispatcher,
    errors,
    webhooks: createWebhookService({
      store,
      webhooks,
      byHand: createByHand({ webhooks, deliveries, sender, clock }),
      onMade: dispatcher.look,
    }),
    happen: (...types) =>
      changeMailbox(store, mailboxId, async (_tx, mailbox) =>
        types.map((type) => {
          appendEvent(mailbox, clock.now(), type, { n: mailbox.seq + 1 })
          return mailbox.seq
        }),
      ),
    settled,
    async later(ms) {
      clock.advance(ms)
      await dispatcher.checkAll()
      await settled()
    },
    stop,
  }
}

/** A webhook to this URL, for all events unless told otherwise. */
export async function makeWebhook(
  { webhooks, mailboxId }: World,
  url: string,
  events: EventType[] | null = null,
): Promise<{ id: string; secret: string; publicKey: string }> {
  const { webhook, secret } = await webhooks.create(mailboxId, { url, events, description: '' }, 'key_1', newId('whk'))
  return { id: webhook.id, secret, publicKey: webhook.public_keys[0]?.key ?? '' }
}
