/**
 * An S3 server in memory that fails as it is told. It checks the hashes of what it gets, but no signatures: those are proven against Swift. Each request takes
 * the next fault; without one it is answered as it should be.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { listenAnywhere } from '../ports.js'

export type Fault =
  /** Refuses with a status and a code of S3, without doing anything. */
  | { status: number; code?: string; headers?: Record<string, string> }
  /** Takes the request and never answers. */
  | 'silence'
  /** Closes the connection without having done anything. */
  | 'reset'
  /** Does what it is asked to, and closes the connection without an answer. */
  | 'lost answer'
  /** Sends half of the answer and closes the connection. */
  | 'cut'
  /** Begins the answer and never ends it. */
  | 'stalled'
  /** Sends the answer octet by octet, and too slowly. */
  | 'drip'
  /** Answers a read with one octet changed. */
  | 'changed octet'
  /** Stores something else than was sent. */
  | 'wrong bytes'
  /** Begins as a success and says in the body that it failed. */
  | 'error in 200'
  | undefined

export interface S3Server {
  endpoint: URL
  objects: Map<string, Buffer>
  /** Uploads that were begun and neither completed nor aborted, by id. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>
  /** Faults of the next requests, in order. */
  faults: Fault[]
  /** Fault of every request that has none in `faults`. */
  always: Fault
  /** `PUT bucket/key` of each request. */
  log: string[]
  /** Requests that have no answer yet. */
  open: number
  /** Answers wait for it. */
  hold: Promise<void>
  stop(): Promise<void>
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: Buffer | string
}

/** @param tls its certificate, for a server with TLS */
export async function startS3Server(tls?: { key: string; cert: string }): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const uploads: S3Server['uploads'] = new Map()
  const state: Omit<S3Server, 'endpoint' | 'stop'> = {
    objects,
    uploads,
    faults: [],
    always: undefined,
    log: [],
    open: 0,
    hold: Promise.resolve(),
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    state.open++
    response.once('close', () => state.open--)
    serve(state, request, response).catch(() => {
      // The client has gone in the middle of its request.
      response.destroy()
    })
  }
  const server = tls ? createSecureServer(tls, listener) : createServer(listener)
  const port = await listenAnywhere(server)
  return Object.assign(state, {
    endpoint: new URL(tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

async function serve(
  state: Omit<S3Server, 'endpoint' | 'stop'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://s3')
  state.log.push(`${request.method} ${url.pathname.slice(1)}`)
  const fault = state.faults.length > 0 ? state.faults.shift() : state.always
  const sent = await buffer(request)
  await state.hold
  if (fault === 'silence') return
  if (fault === 'reset') return void response.destroy()
  if (typeof fault === 'object') {
    const { status, code = '', headers = {} } = fault
    return void response.writeHead(status, headers).end(code === '' ? '' : errorBody(code))
  }
  if (fault === 'error in 200') return void response.writeHead(200).end(errorBody('InternalError'))
  const answer = answerTo(state, request, url, fault === 'wrong bytes' ? Buffer.concat([sent, Buffer.from('!')]) : sent)
  const body = Buffer.from(answer.body ?? '')
  if (fault === 'lost answer') return void response.destroy()
  if (fault === 'changed octet' && body.length > 0) body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1
  response.writeHead(answer.status, { 'content-length': body.length, ...answer.headers })
  if (fault === 'stalled') return void response.write(body.subarray(0, body.length >> 1))
  if (fault === 'drip') {
    let at = 0
    const timer = setInterval(() => response.write(body.subarray(at, ++at)), 20)
    return void response.once('close', () => clearInterval(timer))
  }
  if (fault === 'cut') return void response.write(body.subarray(0, body.length >> 1), () => response.destroy())
  if (request.method === 'HEAD') response.end()
  else response.end(body)
}

function answerTo(
  { objects, uploads }: Pick<S3Server, 'objects' | 'uploads'>,
  { method, headers }: IncomingMessage,
  { pathname, searchParams: query }: URL,
  body: Buffer,
): Answer {
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/'))
  const uploadId = query.get('uploadId') ?? ''
  const upload = uploads.get(uploadId)
  switch (method) {
    case 'PUT': {
      const from = headers['x-amz-copy-source']
      if (typeof from === 'string') {
        const source = objects.get(from.split('/').slice(2).join('/'))
        if (!source) return refusal(404, 'NoSuchKey')
        objects.set(key, source)
        return { status: 200, body: `<CopyObjectResult><ETag>"${md5(source)}"</ETag></CopyObjectResult>` }
      }
      // With a fault, what it stores is another thing than what it was told of.
      if (uploadId !== '' && !upload) return refusal(404, 'NoSuchUpload')
      if (upload) upload.parts.set(Number(query.get('partNumber')), body)
      else objects.set(key, body)
      return { status: 200, headers: { etag: `"${md5(body)}"` } }
    }
    case 'POST': {
      if (query.has('uploads')) {
        const id = `upload-${uploads.size + 1}`
        uploads.set(id, { key, parts: new Map() })
        return {
          status: 200,
          body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        }
      }
      if (!upload) return refusal(404, 'NoSuchUpload')
      const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part)
      objects.set(key, Buffer.concat(parts))
      tags.set(key, `${md5(Buffer.concat(parts.map((part) => Buffer.from(md5(part), 'hex'))))}-${parts.length}`)
      uploads.delete(uploadId)
      return { status: 200, body: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' }
    }
    case 'DELETE':
      if (uploadId !== '' && !uploads.delete(uploadId)) return refusal(404, 'NoSuchUpload')
      if (uploadId === '') objects.delete(key)
      return { status: 204 }
    default:
      return key === '' ? listing(objects, query.get('prefix') ?? '') : reading(objects.get(key), key, headers.range)
  }
}

/** ETags of objects that were written in parts. */
const tags = new Map<string, string>()

function reading(object: Buffer | undefined, key: string, range: string | undefined): Answer {
  if (!object) return refusal(404, 'NoSuchKey')
  const etag = `"${tags.get(key) ?? md5(object)}"`
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (from === undefined) return { status: 200, headers: { etag }, body: object }
  if (object.length === 0) return refusal(416, 'InvalidRange')
  const body = object.subarray(Number(from), Number(to) + 1)
  const headers = { etag, 'content-range': `bytes ${from}-${Number(from) + body.length - 1}/${object.length}` }
  return { status: 206, headers, body }
}

function listing(objects: Map<string, Buffer>, prefix: string): Answer {
  const found = [...objects].filter(([key]) => key.startsWith(prefix))
  const rows = found.map(
    ([key, { length }]) =>
      `<Contents><Key>${key}</Key><LastModified>${new Date().toISOString()}</LastModified><Size>${length}</Size></Contents>`,
  )
  return { status: 200, body: `<ListBucketResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>` }
}

function refusal(status: number, code: string): Answer {
  return { status, body: errorBody(code) }
}

function errorBody(code: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is not to be.</Message><StringToSign>secret</StringToSign></Error>`
}

function md5(data: Buffer): string {
  return createHash('md5').update(data).digest('hex')
}
