/** The HTTP server: uWebSockets.js behind plain requests and answers, with a stop that loses nothing it has begun. */
import uWS from 'uWebSockets.js'
import { isImitation } from '../lib/native.js'
import type { HostPort } from '../lib/host-port.js'
import { createServing, type ServingOptions } from './serving.js'
import { listenOn } from './socket.js'
import { listenTls, type TlsListener, type TlsOptions } from './tls-listener.js'

export interface ListenOptions extends ServingOptions, HostPort {
  /** Listeners of TLS beside the one without; there are none without it. */
  https?: TlsOptions | undefined
  /** Told what the operator should know at the start. */
  warn: (message: string) => void
}

export interface HttpServer {
  port: number
  /** Of the listeners of TLS, as they were named; empty while there is no certificate to show. */
  readonly httpsPorts: readonly number[]
  /** Requests at work. */
  readonly openRequests: number
  /**
   * Stops listening, has held requests answered, lets those at work finish, and cuts what is left after `graceMs`. Every connection is
   * closed when it resolves.
   */
  close(graceMs: number): Promise<void>
}

/** @throws Error that says which address can't be listened on and why */
export async function listen(options: ListenOptions): Promise<HttpServer> {
  const { host, port, https, warn } = options
  if (isImitation(uWS.App)) {
    warn(
      `uWebSockets.js has no native binary for Node ${process.versions.node} on ${process.platform} ${process.arch}: a slow imitation in JavaScript was loaded. ` +
        'Use Node 20, or install the build of its author for this version.',
    )
  }
  const serving = createServing(options)
  const app = uWS.App()
  serving.answerAll(app, { headers: [], isRetired: false })
  const socket = await listenOn(app, { host, port }, 'HTTP')
  let tls: TlsListener | undefined
  try {
    tls = https && (await listenTls(https, serving, warn))
  } catch (error) {
    socket.close()
    throw error
  }

  async function stop(graceMs: number): Promise<void> {
    socket.close()
    tls?.stopListening()
    await serving.stop(graceMs)
    // Closes idle connections too.
    app.close()
    tls?.closeAll()
  }

  let stopped: Promise<void> | undefined
  return {
    port: socket.port,
    get httpsPorts() {
      return tls?.ports() ?? []
    },
    get openRequests() {
      return serving.openRequests
    },
    close: (graceMs) => (stopped ??= stop(graceMs)),
  }
}
