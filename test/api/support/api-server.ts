/** The API over a real socket with the domain faked. */
import type { Test } from 'tap'
import { createSessions } from '../../../src/accounts/sessions.js'
import type { HttpServer } from '../../../src/http/server/server.js'
import type { ApiLimits } from '../../../src/api/v1/parts.js'
import { systemClock } from '../../../src/lib/clock.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'
import { ask, type Answer, type Ask } from '../../http/client.js'
import { fakeOAuth } from './fake-oauth.js'
import { fakes, type Fakes } from './fakes.js'
import { serve, type Served } from './serve.js'

const LIMITS: ApiLimits = {
  requestsPerMinute: 10_000,
  accountRequestsPerMinute: 100_000,
  requestsAtOncePerKey: 100,
  bodyBytes: 2_000_000,
  recipientsPerMessage: 5,
  attachmentsPerMessage: 2,
  longPollSeconds: 60,
  longPollsPerKey: 2,
  eventStreamSeconds: 1800,
}

export interface Api {
  server: HttpServer
  fakes: Fakes
  errors: unknown[]
  /** As the holder of the key `good`, unless told otherwise; an object as body is sent as JSON. */
  call: (
    method: string,
    path: string,
    options?: Omit<Ask, 'body'> & { key?: string | null; json?: unknown; body?: string | Buffer },
  ) => Promise<Answer>
}

export async function startApi(
  t: Pick<Test, 'teardown' | 'fail'>,
  options: Partial<Omit<Served, 'limits' | 'onError' | 'store'>> & { limits?: Partial<ApiLimits> } = {},
): Promise<Api> {
  const domain = fakes()
  const errors: unknown[] = []
  const store = createStore(memoryEngine())
  const server = await serve(t, {
    ...domain,
    ...fakeOAuth(),
    store,
    sessions: createSessions({ store, clock: systemClock }),
    onError: (error) => errors.push(error),
    ...options,
    limits: { ...LIMITS, ...options.limits },
  })
  return {
    server,
    fakes: domain,
    errors,
    call(method, path, { key = 'good', json, body, headers = {}, ...rest } = {}) {
      const sent = json === undefined ? body : JSON.stringify(json)
      return ask(server.port, path, {
        ...rest,
        method,
        headers: {
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent }),
      })
    },
  }
}
