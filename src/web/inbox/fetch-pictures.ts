/**
 * Pictures of a message that stand on other servers, fetched by this one when its reader asks for them: their servers learn neither the reader's address nor
 * their browser. Addresses in the public Internet alone, and bounded in number, bytes, time and connections.
 */
import { addressOf, Unreachable, type AddressRules } from '../../dns/public-address.js'
import type { Resolver } from '../../dns/types.js'
import { SECOND } from '../../lib/clock.js'
import { sendRequest, type HttpAnswer } from '../../lib/http-client.js'
import { parseUrl } from '../../lib/url.js'
import { createRoom } from '../../webhooks/concurrency.js'
import { pictureType } from './picture-bytes.js'

export interface FetchPicturesDeps {
  resolver: Pick<Resolver, 'a' | 'aaaa'>
  rules: AddressRules
  /** The User-Agent header. */
  userAgent: string
  /** For all pictures of a message. */
  timeoutMs?: number
  /** Further certificates to trust; for tests. */
  ca?: string[] | undefined
}

/** The pictures by the link of each, as `data:` URLs; those that could not be had are left out. */
export type FetchPictures = (links: ReadonlySet<string>) => Promise<Map<string, string>>

export const MAX_REMOTE_PICTURES = 30
const TIMEOUT_MS = 10 * SECOND
const MAX_BYTES = 2 * 1024 * 1024
const MAX_BYTES_TOGETHER = 6 * 1024 * 1024
/** Many pictures stand behind an address that counts who asks. */
const MAX_REDIRECTS = 3
/** Connections of the whole process, and to one address. */
const ROOM = { all: 32, perAddress: 6 }

export function createFetchPictures(deps: FetchPicturesDeps): FetchPictures {
  const { resolver, rules, userAgent, timeoutMs = TIMEOUT_MS, ca } = deps
  const room = createRoom(ROOM)

  async function get(url: URL, signal: AbortSignal): Promise<HttpAnswer> {
    const address = await addressOf(resolver, url, rules)
    const leave = await room.enter(address, signal)
    try {
      return await sendRequest({
        ...{ url, address, method: 'GET', signal, timeoutMs, maxBytes: MAX_BYTES, ca },
        headers: { Accept: 'image/*', 'User-Agent': userAgent },
      })
    } finally {
      leave()
    }
  }

  async function pictureAt(link: string, signal: AbortSignal): Promise<{ type: string; bytes: Buffer } | undefined> {
    let url = parseUrl(link)
    for (let redirects = 0; url && isWeb(url) && redirects <= MAX_REDIRECTS; redirects++) {
      const { status, headers, body } = await get(url, signal)
      const { location } = headers
      if (status >= 300 && status < 400 && location !== undefined) {
        url = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined
        continue
      }
      const type = status === 200 ? pictureType(body) : undefined
      return type === undefined ? undefined : { type, bytes: body }
    }
    return undefined
  }

  return async (links) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const pictures = new Map<string, string>()
    let left = MAX_BYTES_TOGETHER
    await Promise.all(
      [...links].slice(0, MAX_REMOTE_PICTURES).map(async (link) => {
        const picture = await pictureAt(link, signal).catch(unlessOurs)
        if (!picture || picture.bytes.length > left) return
        left -= picture.bytes.length
        pictures.set(link, `data:${picture.type};base64,${picture.bytes.toString('base64')}`)
      }),
    )
    return pictures
  }
}

const isWeb = ({ protocol, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && username === '' && password === ''

/** Whatever the other side does, the picture is not shown; a fault of ours is one. */
function unlessOurs(error: unknown): undefined {
  const isTheirs = error instanceof Unreachable || (error instanceof Error && !(error instanceof TypeError))
  if (!isTheirs) throw error
}
