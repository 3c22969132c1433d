/** The page behind a claim link: tells a human what the mailbox is and how it is approved. No script, no form, nothing from elsewhere. */
import { timestamp } from '../../lib/clock.js'
import type { ClaimState, PendingClaim } from '../../claims/types.js'
import type { HttpResponse } from '../message.js'

/** Only the one style below, by its place in the document; nothing else loads, runs, posts or frames. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cache-Control': 'no-store',
}

/** @param claim what `Claims.describe` found; undefined when there is none (any more) */
export function claimPage(claim: (PendingClaim & { status: ClaimState }) | undefined): HttpResponse {
  if (!claim)
    return page(404, 'No claim here', [
      '<p>There is no claim at this link. Check that it is whole, or ask the agent for a new one.</p>',
    ])
  const address = escapeHtml(claim.address)
  switch (claim.status) {
    case 'claimed':
      return page(200, 'Approved', [`<p><strong>${address}</strong> is approved. There is nothing left to do.</p>`])
    case 'declined':
      return page(200, 'Declined', [`<p><strong>${address}</strong> was declined.</p>`])
    case 'expired':
      return page(200, 'Too late', [
        `<p>Nobody approved <strong>${address}</strong> in time, and it was removed. The agent can claim again.</p>`,
      ])
    case 'pending':
      return page(200, 'Approve a mailbox', [
        `<p>A software agent${claim.agentName === null ? '' : ` that calls itself <q>${escapeHtml(claim.agentName)}</q>`} has claimed the address</p>`,
        `<p><strong>${address}</strong></p>`,
        '<p>and asks for your approval. Once approved, it can read the mail that arrives there and send mail under that address. Approve it only if you expect this and stand for what the agent sends.</p>',
        '<p>The operator of this server approves it with</p>',
        `<pre>restante claim approve ${address}</pre>`,
        `<p>Claimed at ${timestamp(claim.createdAt)}. If nobody approves it by ${timestamp(claim.expiresAt)}, the mailbox is removed; to refuse, do nothing.</p>`,
      ])
  }
}

function page(status: number, title: string, body: string[]): HttpResponse {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}strong,pre{overflow-wrap:anywhere;white-space:pre-wrap}</style>
<h1>${title}</h1>
${body.join('\n')}
</html>
`
  return { status, headers: HEADERS, body: html }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c)
}
