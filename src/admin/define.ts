/** Routes of the admin listener, whose callers all have the admin token. */
import type { z } from 'zod'
import { routesWith, type ResponseSpec, type Route, type Spec } from '../http/routing/route.js'

type Nothing = z.ZodObject<Record<never, never>>

/** See `routesWith`. */
export function adminRoutesWith<D>() {
  const defineRoute = routesWith<D>()
  return <
    R extends Record<number, ResponseSpec>,
    P extends z.ZodObject = Nothing,
    Q extends z.ZodObject = Nothing,
    B extends z.ZodObject = Nothing,
  >(
    spec: Omit<Spec<'none', P, Q, B, R, D>, 'tag' | 'auth'>,
  ): Route<D> => defineRoute({ ...spec, tag: 'Admin', auth: 'none' })
}
