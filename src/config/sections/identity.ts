/** identity.toml: the humans behind mailboxes. */
import { z } from 'zod'
import {
  email,
  flag,
  listOf,
  needed,
  oneOf,
  optional,
  optionally,
  path,
  pathName,
  safeAddress,
  setting,
  tablesOf,
  text,
  webhookAddress,
} from '../setting/setting.js'

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
  staff: setting(listOf(email, 'email addresses'), [], {
    about:
      'Who looks after this server: whoever signs in with one of these addresses, verified by the provider, is of the staff. Case does not count.',
    otherwise: 'nobody',
  }),
  deletion_webhook: setting(optional(webhookAddress), '', {
    about:
      'Address of a system of yours, such as billing, that is told by a signed POST of each account that was removed for good. It may be inside your network. See docs/accounts.md.',
    otherwise: 'nobody is told',
  }),
  deletion_webhook_secret_file: setting(optional(path), '', {
    about:
      'File that holds the key of the signature on its first line: at least 16 characters, or whsec_ and base64 as Standard Webhooks has it.',
  }),
  providers: setting(
    tablesOf('identity providers', {
      id: needed(
        pathName,
        'google',
        'Its name in our own addresses, and what its identities are remembered under: never change it, and never give it to another provider.',
      ),
      kind: needed(oneOf('oidc', 'github'), 'oidc', 'What it speaks: OpenID Connect, or OAuth as GitHub has it.'),
      name: needed(text, 'Google', 'What the link says: "Continue with …".'),
      client_id: needed(text, 'restante', 'What this service is called there.'),
      client_secret_file: optionally(
        optional(path),
        '',
        'File that holds the secret on its first line. With OpenID Connect it may be missing, for clients without one.',
      ),
      issuer: optionally(
        optional(safeAddress),
        '',
        'With OpenID Connect, the address of the issuer, exactly as it names itself; everything else is read from there.',
      ),
      trust_email: optionally(
        flag,
        false,
        'Whether email addresses count as verified although the provider does not say that they are. Only for a directory in which people can not set their own address: whoever can, takes over the accounts of others.',
      ),
      url: optionally(
        safeAddress,
        'https://github.com',
        'With GitHub, where it is; another one for an Enterprise Server.',
      ),
      api_url: optionally(
        safeAddress,
        'https://api.github.com',
        'With GitHub, where its API is, such as "https://github.example.com/api/v3".',
      ),
    }),
    [],
    {
      about:
        'Where humans sign in to approve mailboxes and to see their account. Each has to know our address `<server.base_url>/signin/<id>/callback`. Tables stand at the end of a file.',
      otherwise:
        'nobody can sign in by themselves: the operator approves with `restante claim approve`, and makes links with `restante account sign-in`',
    },
  ),
})
