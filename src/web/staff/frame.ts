/** Access and navigation of the staff pages. Who is signed out is led to the sign-in; everyone else gets a 404. */
import type { Accounts } from '../../accounts/types.js'
import type { Clock } from '../../lib/clock.js'
import type { Reviewing } from '../../mailbox/review/review.js'
import type { DayView } from '../../observe/day/view.js'
import { prefersHtml } from '../../http/answers/accept.js'
import { errorResponse } from '../../http/answers/errors.js'
import type { HttpRequest } from '../../http/message.js'
import { noSuchPath } from '../../http/routing/router.js'
import { NO_PAGE, page, type Answer } from '../page/frame.js'
import { html, type Html } from '../page/html.js'
import { form, PATHS } from '../page/person-frame.js'
import { signInFirst, type PageInput, type PageSpec, type Visitor } from '../page/page.js'

export interface StaffDeps {
  accounts: Pick<Accounts, 'isStaff'>
  /** Missing where nobody reviews: then nobody finds these pages. */
  reviewing?: Pick<Reviewing, 'list' | 'read' | 'log' | 'counts' | 'approve' | 'reject' | 'suspend'> | undefined
  /** In steps of ten minutes; missing from a server that records nothing. */
  day?: (() => Promise<DayView>) | undefined
  clock: Clock
}

/** A staff member, with the deps of their pages. */
export interface StaffInput extends PageInput<Visitor> {
  reviewing: NonNullable<StaffDeps['reviewing']>
  day: StaffDeps['day']
  clock: Clock
  /** Name in the review log. */
  by: string
}

export const REVIEW_PATH = '/staff/review'
export const LOG_PATH = '/staff/review/log'
export const DAY_PATH = '/staff/day'
const BLOCKED_PATH = `${REVIEW_PATH}?status=blocked`

export type StaffPlace = typeof REVIEW_PATH | typeof BLOCKED_PATH | typeof LOG_PATH | typeof DAY_PATH
export const placeOf = (list: 'held' | 'blocked'): StaffPlace => (list === 'held' ? REVIEW_PATH : BLOCKED_PATH)

export const messagePath = (messageId: string): string => `${REVIEW_PATH}/${encodeURIComponent(messageId)}`

/** A page for staff only. To others who are signed in it is not there. */
export function staffOnly(
  method: 'GET' | 'POST',
  path: string,
  answer: (input: StaffInput) => Promise<Answer>,
): PageSpec<StaffDeps> {
  return {
    method,
    path,
    access: 'any',
    async answer(input, { accounts, reviewing, day, clock }) {
      const { visitor, request } = input
      if (!reviewing) return nothing(request)
      if (!visitor) return signInFirst(request, input.origin)
      const { email } = visitor.session.identity
      if (email === null || !accounts.isStaff(visitor.session.identity)) return nothing(request)
      return answer({ ...input, visitor, reviewing, day, clock, by: email })
    },
  }
}

/** The answer of a path that does not exist. */
function nothing({ headers, requestId }: HttpRequest): Answer {
  return prefersHtml(headers) ? NO_PAGE : errorResponse(noSuchPath(), requestId)
}

export async function staffPage(
  { place, ...content }: { place: StaffPlace | null; title: string; heading?: string; body: Html; status?: number },
  { visitor, reviewing, by }: StaffInput,
): Promise<Answer> {
  const { held, blocked } = await reviewing.counts()
  const links: { label: string; href: StaffPlace }[] = [
    { label: `Review (${held})`, href: REVIEW_PATH },
    { label: `Blocked (${blocked})`, href: BLOCKED_PATH },
    { label: 'Decisions', href: LOG_PATH },
    { label: 'The day', href: DAY_PATH },
  ]
  return page({
    ...content,
    isWide: true,
    navigation: [
      ...links.map((link) => ({ ...link, isCurrent: link.href === place })),
      { label: 'Your mailboxes', href: PATHS.mailboxes },
    ],
    body: html`${content.body}
      <hr />
      <p class="small">Signed in as ${by} (staff).</p>
      ${form(visitor, '/signout', html`<button class="plain">Sign out</button>`)}`,
  })
}
