/** tls.toml: certificates, had from an authority by the daemon itself. */
import { z } from 'zod'
import { email, flag, hostName, listOf, oneOf, optional, path, safeAddress, setting, text } from '../setting/setting.js'

export const tls = z.strictObject({
  acme: setting(optional(safeAddress), '', {
    about:
      'The directory of an authority that makes out certificates over ACME (RFC 8555): the daemon has them made and renewed by itself, for STARTTLS and for what it serves over HTTPS. Let\'s Encrypt is "https://acme-v02.api.letsencrypt.org/directory"; "https://acme-staging-v02.api.letsencrypt.org/directory" is the same for trying, with certificates that nobody trusts. See docs/tls.md.',
    otherwise: 'no certificate is asked for',
  }),
  acme_terms_agreed: setting(flag, false, {
    about:
      "Whether you agree to the terms of that authority (Let's Encrypt's are at https://letsencrypt.org/repository/). It makes out nothing without.",
  }),
  acme_contact: setting(optional(email), '', {
    about:
      'Where the authority may write to when something is wrong with a certificate. Many do not write to anybody any more.',
    otherwise: 'none is told',
  }),
  acme_challenge: setting(oneOf('http-01', 'dns-01'), 'http-01', {
    about:
      'How the authority is shown that a name is ours. With "http-01" it asks at port 80 of each name for /.well-known/acme-challenge/, which server.redirect answers, or a proxy passes on to server.http; with "dns-01" it looks for a TXT record that tls.acme_dns_program publishes, and nothing has to be reachable.',
  }),
  acme_dns_program: setting(optional(path), '', {
    about:
      'For "dns-01": the full path of a program that is run as `PROGRAM present NAME VALUE`, and after the order as `PROGRAM cleanup NAME VALUE`. It publishes a TXT record with that value at that name beside what stands there, and ends with 0 once every name server of the zone answers with it; within 10 minutes.',
  }),
  acme_ca_file: setting(optional(path), '', {
    about: 'Certificates (PEM) by which the authority itself is known, for one of your own such as step-ca.',
    otherwise: 'those that are known to all',
  }),
  acme_eab_key_id: setting(optional(text), '', {
    about:
      'For an authority that knows its customers beforehand (RFC 8555 §7.3.4): the id of the key that it gave you, with tls.acme_eab_key_file.',
  }),
  acme_eab_key_file: setting(optional(path), '', {
    about: 'File with that key on its first line, in base64url as authorities give it.',
  }),
  names: setting(listOf(hostName, 'host names'), [], {
    about:
      'Further host names that get a certificate, each its own. By itself the daemon asks for domains.hostname, and with server.https for the host of server.base_url and those of the MTA-STS policies, as far as smtp.tls_cert and server.tls_cert are not for them.',
  }),
})
