/** Forms of cached responses, each made once for all requests. */
import type { HttpResponse } from '../message.js'

/** A step that depends on nothing but the response; a cached one goes through it once, and the result is freed with it. */
export function onceForKept(step: (response: HttpResponse) => HttpResponse): (response: HttpResponse) => HttpResponse {
  const made = new WeakMap<HttpResponse, HttpResponse>()
  return (response) => {
    if (!response.kept) return step(response)
    const known = made.get(response)
    if (known) return known
    const one = step(response)
    made.set(response, one)
    return one
  }
}
