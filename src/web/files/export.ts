/** The download of an export by its secret link; a wrong link and an expired one get the same error. */
import type { Audit } from '../../audit/types.js'
import type { Exports } from '../../lifecycle/export/exports.js'
import { sha256Hex } from '../../lib/ids.js'
import { ServiceError } from '../../lib/errors.js'
import { addTo } from '../../http/limits/concurrency.js'
import { clientOf } from '../../http/limits/audited.js'
import { downloadHeaders } from '../../http/answers/disposition.js'
import { downloadResponse } from '../../http/answers/download.js'
import type { HttpRequest, HttpResponse } from '../../http/message.js'
import type { WebPage } from '../page/page.js'

/** Max concurrent downloads: per link (download managers use several connections), and in total. */
const MAX_PER_LINK = 8
const MAX_AT_ONCE = 64

/** @param audit records each download, if given */
export function exportPage(exports: Pick<Exports, 'download'>, audit?: Pick<Audit, 'record'>): WebPage {
  const running = new Map<string, number>()
  let all = 0

  /** Counts from the first chunk to the end. */
  async function* counted(link: string, source: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    addTo(running, link, 1)
    all++
    try {
      yield* source()
    } finally {
      all--
      addTo(running, link, -1)
    }
  }

  return {
    method: 'GET',
    path: '/export/{link}',
    async answer({ link = '' }: Record<string, string>, request: HttpRequest): Promise<HttpResponse> {
      const found = await exports.download(link)
      if (!found) throw nothingHere()
      if (all >= MAX_AT_ONCE || (running.get(link) ?? 0) >= MAX_PER_LINK) throw tooMany()
      if (isBegun(request))
        await audit?.record({
          action: 'export.downloaded',
          actor: { type: 'anonymous', id: null, name: null },
          from: clientOf(request),
          requestId: request.requestId,
          subject: { account_id: found.accountId, export_id: found.exportId },
        })
      return downloadResponse(
        {
          sizeBytes: found.sizeBytes,
          etag: `"${sha256Hex(`${link} ${found.version}`).slice(0, 32)}"`,
          headers: {
            ...downloadHeaders(found.filename, 'application/zip'),
            'Cache-Control': 'private, no-store',
            'X-Robots-Tag': 'noindex, nofollow',
          },
          open: (range) => counted(link, () => found.open(range)),
        },
        request,
      )
    },
  }
}

/** Later ranges belong to the same download. */
function isBegun({ headers }: HttpRequest): boolean {
  const range = headers['range']
  return range === undefined || /^bytes=0-/i.test(range)
}

function nothingHere(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no export behind this link.',
    'The link is incomplete, or its 7 days are over. Request a new export.',
  )
}

function tooMany(): ServiceError {
  return new ServiceError('unavailable', 'Too many downloads are running.', 'Try again when one of them has ended.', {
    retryAfterSeconds: 60,
  })
}
