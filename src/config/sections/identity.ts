/** identity.toml: the humans behind mailboxes. */
import { z } from 'zod'
import { email, optional, setting } from '../setting.js'

export const identity = z.strictObject({
  operator: setting(optional(email), '', {
    about:
      'Email address of the operator. Mailboxes approved by `restante claim approve` without --owner join the account of this address.',
    otherwise: "the operator's account has no address",
  }),
  forward_operator_mail: setting(optional(email), '', {
    about:
      "Where mail for `postmaster@` and `abuse@` of all domains goes too: it is passed on as it came, with an ARC seal (RFC 8617) by the first domain, except for spam, and stays in the operator's mailbox. The address has to be elsewhere.",
    otherwise: "such mail is in the operator's mailbox alone",
  }),
})
