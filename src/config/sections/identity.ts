/** identity.toml: operator, staff and identity providers. */
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
      "External address that also gets mail for `postmaster@` and `abuse@` of all domains, except spam: forwarded unchanged, with an ARC seal (RFC 8617) by the first domain. A copy stays in the operator's mailbox.",
    otherwise: "such mail goes to the operator's mailbox only",
  }),
  staff: setting(listOf(email, 'email addresses'), [], {
    about:
      'Email addresses of the staff. A user who signs in with one of them, verified by the provider, is staff. Case is ignored.',
    otherwise: 'nobody',
  }),
  mail_sign_in: setting(flag, true, {
    about:
      'Offer owners and staff to sign in by a link that is mailed to their address: it works once, for ten minutes, in the browser that asked. It has no effect where no mail leaves (relay.outbound) or `server.base_url` has no TLS. No address of a domain of this server, or of a custom domain, gets one.',
  }),
  deletion_webhook: setting(optional(webhookAddress), '', {
    about:
      'URL of a system of yours, such as billing, that gets a signed POST for each account that was removed for good. It may be inside your network. See docs/accounts.md.',
    otherwise: 'no such request is sent',
  }),
  deletion_webhook_secret_file: setting(optional(path), '', {
    about:
      'File with the signing key on its first line: at least 16 characters, or whsec_ and base64 as in Standard Webhooks.',
  }),
  providers: setting(
    tablesOf('identity providers', {
      id: needed(
        pathName,
        'google',
        'Name of the provider in our URLs and in stored identities: never change it, and never reuse it for another provider.',
      ),
      kind: needed(oneOf('oidc', 'github'), 'oidc', 'Protocol: OpenID Connect, or OAuth as used by GitHub.'),
      name: needed(text, 'Google', 'Name in the link "Continue with …".'),
      client_id: needed(text, 'restante', 'Client id of this service at the provider.'),
      client_secret_file: optionally(
        optional(path),
        '',
        'File with the client secret on its first line. OpenID Connect clients may have none.',
      ),
      issuer: optionally(
        optional(safeAddress),
        '',
        'For OpenID Connect: issuer URL, exactly as the provider writes it; the rest is discovered from there.',
      ),
      trust_email: optionally(
        flag,
        false,
        'Treat email addresses as verified even if the provider does not state so. Only for a directory whose users cannot set their own address: otherwise they could take over the accounts of others.',
      ),
      url: optionally(safeAddress, 'https://github.com', 'For GitHub: its URL; set it for an Enterprise Server.'),
      api_url: optionally(
        safeAddress,
        'https://api.github.com',
        'For GitHub: its API URL, such as "https://github.example.com/api/v3".',
      ),
    }),
    [],
    {
      about:
        'Identity providers with which humans sign in to approve mailboxes and see their account. Register the redirect URL `<server.base_url>/signin/<id>/callback` with each. Tables belong at the end of the file.',
      otherwise:
        'nobody can sign in: the operator approves with `restante claim approve`, and creates links with `restante account sign-in`',
    },
  ),
})
