/** The HTTP server over any driver; stopping it finishes all requests in progress. */
import type { HostPort } from '../../lib/host-port.js'
import { createServing, type ServingOptions } from './serving.js'
import type { Driver, Fields } from '../listener/types.js'
import { listenHttps, type HttpsListener, type HttpsOptions } from './https.js'

export interface ListenOptions extends ServingOptions, HostPort {
  /** Driver of the listener without TLS. */
  driver: Driver
  /** HTTPS listeners, if any. */
  https?: HttpsOptions | undefined
  /** Called with startup warnings for the operator. */
  warn: (message: string) => void
}

export interface HttpServer {
  port: number
  /** Ports of the HTTPS listeners; empty without a certificate. */
  readonly httpsPorts: readonly number[]
  /** Running requests. */
  readonly openRequests: number
  /** Stops listening, ends held requests, lets running ones finish, and cuts the rest after `graceMs`. All connections are closed when it resolves. */
  close(graceMs: number): Promise<void>
}

const NO_FIELDS: Fields = []

/** @throws Error with the failing address and reason */
export async function listen(options: ListenOptions): Promise<HttpServer> {
  const { driver, https, warn } = options
  const serving = createServing(options)
  const plain = await driver.listen(options, (arrival) => serving.serve(arrival, NO_FIELDS))
  let tls: HttpsListener | undefined
  try {
    tls = https && (await listenHttps(https, serving, warn))
  } catch (error) {
    plain.stop()
    await plain.closeAll()
    throw error
  }

  async function stop(graceMs: number): Promise<void> {
    plain.stop()
    tls?.stop()
    await serving.stop(graceMs)
    await Promise.all([plain.closeAll(), tls?.closeAll()])
  }

  let stopped: Promise<void> | undefined
  return {
    port: plain.port,
    get httpsPorts() {
      return tls?.ports() ?? []
    },
    get openRequests() {
      return serving.openRequests
    },
    close: (graceMs) => (stopped ??= stop(graceMs)),
  }
}
