/** Signature Version 4 of a request to S3, in its headers. Everything sent is signed: method, path, query, headers and the hash of the body. */
import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  /** Only with temporary credentials. */
  sessionToken?: string | undefined
}

export interface Unsigned {
  method: string
  /** With a query as `queryOf` writes it. */
  url: URL
  /** By name in lower case. */
  headers: Record<string, string>
  /** SHA-256 of the body, hexadecimal. */
  payload: string
  region: string
  /** Milliseconds since the epoch; a server takes 15 minutes of difference. */
  at: number
}

/** @returns all headers to send, `authorization` among them */
export function signedHeaders(request: Unsigned, credentials: S3Credentials): Record<string, string> {
  const { method, url, payload, region } = request
  const time = new Date(request.at).toISOString().replaceAll(/[:-]|\.\d+/g, '')
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  }
  const names = Object.keys(headers).sort()
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    payload,
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hex(canonical)].join('\n')
  let key: string | Buffer = `AWS4${credentials.secretAccessKey}`
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/** A query in the form that is signed: by name, encoded as RFC 3986 has it, each name with a "=". */
export function queryOf(parameters: Record<string, string>): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))
  const pairs = sorted.map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hex(data: string): string {
  return createHash('sha256').update(data).digest('hex')
}
