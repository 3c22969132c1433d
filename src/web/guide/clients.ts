/** The clients as files of this server: `/clients/restante.py`, `/clients/restante-client.tgz`. */
import { readFile } from 'node:fs/promises'
import { conditional, tagOf } from '../../http/answers/conditional.js'
import { downloadHeaders } from '../../http/answers/disposition.js'
import type { HttpResponse } from '../../http/message.js'
import type { WebPage } from '../page/page.js'
import type { Text } from './blocks.js'

export const PYTHON_CLIENT = '/clients/restante.py'
export const TYPESCRIPT_CLIENT = '/clients/restante-client.tgz'

const FILES = [
  { path: PYTHON_CLIENT, type: 'text/x-python' },
  { path: TYPESCRIPT_CLIENT, type: 'application/gzip' },
]

/** How each client is installed from here. @param baseUrl without a trailing slash */
export const clientLines = (baseUrl: string): Text[] => [
  `TypeScript and JavaScript: \`npm install ${baseUrl}${TYPESCRIPT_CLIENT}\`, then \`import { claim, Restante } from 'restante-client'\`.`,
  `Python 3.9 or later, standard library only: \`curl -O ${baseUrl}${PYTHON_CLIENT}\`, then \`from restante import Restante, claim\`; \`AsyncRestante\` is for asyncio.`,
]

/** Each file is read at its first request and kept. They are part of the build, below dist/clients. */
export const clientFiles: WebPage[] = FILES.map(({ path, type }) => {
  let made: Promise<HttpResponse> | undefined
  const make = async (): Promise<HttpResponse> => {
    const body = await readFile(new URL(`../..${path}`, import.meta.url))
    return {
      status: 200,
      headers: {
        ...downloadHeaders(path.slice(path.lastIndexOf('/') + 1), type, 'utf-8'),
        'Cache-Control': 'public, max-age=300',
      },
      body,
      kept: { tag: tagOf(body), coded: {} },
    }
  }
  return {
    method: 'GET',
    path,
    async answer(_params, request) {
      made ??= make()
      // A file that could not be read is tried again at the next request.
      made.catch(() => (made = undefined))
      return conditional(request, await made)
    },
  }
})
