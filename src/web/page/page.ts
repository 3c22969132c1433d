/** A page, declared once: its path, whether one has to be signed in, and what it answers. */
import { networkOf } from '../../lifecycle/claims/difficulty.js'
import type { Session, Sessions } from '../../accounts/sessions.js'
import type { Action, Actor, Audit, NewEntry, Note, Outcome, Subject } from '../../audit/types.js'
import { clientOf } from '../../http/limits/audited.js'
import type { HttpRequest } from '../../http/message.js'
import type { Page } from '../../http/routing/router.js'
import { cookieOf } from './cookies.js'
import { markOf, readFilesForm, readForm, requireMark } from './form.js'
import type { FormContent, FormFile } from './multipart.js'
import { errorPage, framed, page, redirect, type Answer, type Brand } from './frame.js'
import { html } from './html.js'
import { localPath } from './local-path.js'

export interface Visitor {
  session: Session
  /** The hidden field `mark` of every form they get. */
  mark: string
}

export interface PageInput<V> {
  params: Record<string, string>
  query: URLSearchParams
  /** Empty for a GET. */
  form: URLSearchParams
  /** Files that came with the form; empty without any. */
  files: readonly FormFile[]
  visitor: V
  request: HttpRequest
  /** Network of the browser, as stored in the session. */
  network: string
  /** Of our own pages. */
  origin: string
  /** Makes a change with its entry in the audit log, in the name of the visitor. */
  audit: AuditPage
  /** The same for a change that is one transaction and writes its entry with it. */
  noted: <T>(entry: PageEntry, change: (note?: Note) => Promise<T>) => Promise<T>
}

interface PageEntry {
  action: Action
  subject?: Subject
  reason?: string
  as?: 'staff'
}

export type AuditPage = <T>(entry: PageEntry, change: () => Promise<T>, made?: (result: T) => Outcome) => Promise<T>

/** A page before it is in its frame. */
export type WebPage = Omit<Page, 'answer' | 'refuse'> & {
  answer: (...asked: Parameters<Page['answer']>) => Promise<Answer>
}

export function inFrame({ answer, ...rest }: WebPage, brand: Brand): Page {
  return {
    ...rest,
    refuse: (error, requestId) => framed(errorPage(error, requestId), brand),
    answer: async (...asked) => framed(await answer(...asked), brand),
  }
}

/** `session`: only for those who are signed in; others are led to sign in and back again. `any`: for everybody. */
export type PageSpec<D> = {
  method: 'GET' | 'POST'
  path: string
  /** Max bytes of its form; 16 KiB by default. */
  formBytes?: number
  /** Max bytes of its form with files; the form then comes as `multipart/form-data`, and from those who are signed in alone. */
  filesBytes?: (deps: D) => number
  /** Its response stays open. */
  isHeld?: true
} & (
  | { access: 'session'; answer: (input: PageInput<Visitor>, deps: D) => Promise<Answer> }
  | { access: 'any'; answer: (input: PageInput<Visitor | undefined>, deps: D) => Promise<Answer> }
)

export interface PagesDeps {
  sessions: Pick<Sessions, 'find'>
  webKey: Uint8Array
  /** `https://mail.example.com`, without a path. */
  origin: string
  /** Without it nothing is written down. */
  audit?: Audit | undefined
}

export const SIGN_IN_PATH = '/signin'

/** Makes a page of what is declared. A POST by a visitor is refused without the mark; one without a session has to prove its right by its link. */
export function servePage<D>(spec: PageSpec<D>, { sessions, webKey, origin, audit }: PagesDeps, deps: D): WebPage {
  async function visitorOf(request: HttpRequest): Promise<Visitor | undefined> {
    const token = cookieOf(request.headers, '__Host-restante_session')
    const session = token === undefined ? undefined : await sessions.find(token)
    return session && token !== undefined ? { session, mark: markOf(webKey, token) } : undefined
  }

  return {
    method: spec.method,
    path: spec.path,
    async answer(params, request) {
      // Asked for in the first turn: uWebSockets.js pauses a request that nobody watches, and cuts it off 10 seconds after it is resumed.
      if (spec.isHeld) void request.holdSignal
      const visitor = await visitorOf(request)
      // Nothing large is read from a stranger.
      if (!visitor && spec.filesBytes) return signInFirst(request, origin)
      const { fields: form, files } = await formOf(request, visitor)
      const input = {
        params,
        query: new URLSearchParams(request.query),
        form,
        files,
        request,
        network: networkOf(request.remoteAddress),
        origin,
        audit: auditPage(audit, request, visitor),
        noted: <T>(entry: PageEntry, change: (note?: Note) => Promise<T>): Promise<T> =>
          audit ? audit.within(entryOf(entry, request, visitor), change) : change(),
      }
      if (visitor && spec.method === 'POST') requireMark(form, visitor.mark)
      if (spec.access === 'any') return spec.answer({ ...input, visitor }, deps)
      if (visitor) return spec.answer({ ...input, visitor }, deps)
      return signInFirst(request, origin)
    },
  }

  async function formOf(request: HttpRequest, visitor: Visitor | undefined): Promise<FormContent> {
    if (spec.method === 'GET') return { fields: new URLSearchParams(), files: [] }
    if (!spec.filesBytes || !visitor) return { fields: await readForm(request, origin, spec.formBytes), files: [] }
    return readFilesForm(request, origin, { maxBytes: spec.filesBytes(deps), holder: visitor.session.accountId })
  }
}

export const signInUrl = (next: string | undefined): string =>
  next === undefined ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(next)}`

/** Leads one who is signed out to the sign-in, and then back to the page, or to the one that a form was on. @param origin of our own pages */
export function signInFirst({ method, path, query, headers }: HttpRequest, origin: string): Answer {
  if (method !== 'POST') return redirect(signInUrl(path + (query === '' ? '' : `?${query}`)))
  const { referer = '' } = headers
  const back = referer.startsWith(`${origin}/`) ? localPath(referer.slice(origin.length), origin) : undefined
  return page({
    status: 401,
    title: 'You are signed out',
    body: html`<p>Nothing was changed. Sign in, then send the form again.</p>
      <p><a class="button" href="${signInUrl(back)}">Sign in</a></p>`,
  })
}

function auditPage(audit: Audit | undefined, request: HttpRequest, visitor: Visitor | undefined): AuditPage {
  return (entry, change, made) => (audit ? audit.around(entryOf(entry, request, visitor), change, made) : change())
}

function entryOf(
  { action, subject, reason, as }: PageEntry,
  request: HttpRequest,
  visitor: Visitor | undefined,
): NewEntry {
  const own = visitor && as === undefined ? { account_id: visitor.session.accountId } : {}
  return {
    action,
    actor: actorOf(visitor, as),
    from: clientOf(request),
    requestId: request.requestId,
    subject: { ...own, ...subject },
    ...(reason !== undefined && { reason }),
  }
}

function actorOf(visitor: Visitor | undefined, as: 'staff' | undefined): Actor {
  if (!visitor) return { type: 'anonymous', id: null, name: null }
  const { id, identity } = visitor.session
  return { type: as ?? 'session', id, name: identity.email ?? identity.username ?? identity.subject }
}
