/** A visit to a page of ours without a server: a request as the router gives it, with the session's cookie. */
import type { HttpRequest } from '../../src/http/message.js'
import type { FormFile } from '../../src/web/page/multipart.js'

/** Whose service the pages are. */
export const BRAND = { name: 'Agents Mail' }

export const ORIGIN = 'https://mail.example'

export interface Visit {
  /** Cookie of the session; none when not given. */
  session?: string
  /** Sent as a form by POST. */
  form?: Record<string, string | string[]>
  /** The form is sent as `multipart/form-data`, with these files. */
  files?: readonly FormFile[]
  query?: string
  headers?: Record<string, string>
}

export function visitTo(path: string, { session, form, files, query = '', headers = {} }: Visit = {}): HttpRequest {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(form ?? {})) for (const each of [value].flat()) fields.append(name, each)
  const sent = files ? multipart(fields, files) : { type: 'application/x-www-form-urlencoded', body: fields.toString() }
  const signal = new AbortController().signal
  return {
    method: form ? 'POST' : 'GET',
    path,
    query,
    headers: {
      ...(session !== undefined && { cookie: `__Host-restante_session=${session}` }),
      ...(form && { 'content-type': sent.type, origin: ORIGIN }),
      ...headers,
    },
    remoteAddress: '192.0.2.7',
    requestId: 'req_test',
    arrivedAt: 0,
    signal,
    holdSignal: signal,
    readBody: async () => Buffer.from(sent.body),
    onEnd: () => undefined,
  }
}

/** As browsers send it. */
export function multipart(fields: URLSearchParams, files: readonly FormFile[]): { type: string; body: Buffer } {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
  const escaped = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const part = (head: string, content: string | Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const body = Buffer.concat([
    ...[...fields].map(([name, value]) => part(`name="${escaped(name)}"`, value)),
    ...files.map(({ filename, contentType, content }) =>
      part(`name="files"; filename="${escaped(filename)}"\r\nContent-Type: ${contentType}`, content),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}
