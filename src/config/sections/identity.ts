/** identity.toml: the humans behind mailboxes. */
import { z } from 'zod'
import { email, optional, setting } from '../setting.js'

export const identity = z.strictObject({
  operator: setting(optional(email), '', {
    about:
      'Email address of the operator. Mailboxes approved by `restante claim approve` without --owner join the account of this address.',
    otherwise: "the operator's account has no address",
  }),
})
