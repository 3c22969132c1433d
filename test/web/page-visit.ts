/** A visit to a page of ours without a server: a request as the router gives it, with the session's cookie. */
import type { HttpRequest } from '../../src/http/message.js'

/** Whose service the pages are. */
export const BRAND = { name: 'Agents Mail' }

export const ORIGIN = 'https://mail.example'

export interface Visit {
  /** Cookie of the session; none when not given. */
  session?: string
  /** Sent as a form by POST. */
  form?: Record<string, string | string[]>
  query?: string
  headers?: Record<string, string>
}

export function visitTo(path: string, { session, form, query = '', headers = {} }: Visit = {}): HttpRequest {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(form ?? {})) for (const each of [value].flat()) fields.append(name, each)
  const signal = new AbortController().signal
  return {
    method: form ? 'POST' : 'GET',
    path,
    query,
    headers: {
      ...(session !== undefined && { cookie: `__Host-restante_session=${session}` }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }),
      ...headers,
    },
    remoteAddress: '192.0.2.7',
    requestId: 'req_test',
    arrivedAt: 0,
    signal,
    holdSignal: signal,
    readBody: async () => Buffer.from(fields.toString()),
    onEnd: () => undefined,
  }
}
