/** tls.toml: certificates obtained and renewed over ACME. */
import { z } from 'zod'
import { email, flag, hostName, listOf, oneOf, optional, path, safeAddress, setting, text } from '../setting/setting.js'

export const tls = z.strictObject({
  acme: setting(optional(safeAddress), '', {
    about:
      'Directory URL of an ACME certificate authority (RFC 8555): the daemon obtains and renews its certificates for STARTTLS and HTTPS there. Let\'s Encrypt is "https://acme-v02.api.letsencrypt.org/directory"; its staging directory for tests, with untrusted certificates, is "https://acme-staging-v02.api.letsencrypt.org/directory". See docs/tls.md.',
    otherwise: 'no certificate is requested',
  }),
  acme_terms_agreed: setting(flag, false, {
    about:
      "You agree to the terms of that authority (Let's Encrypt's are at https://letsencrypt.org/repository/). It issues nothing otherwise.",
  }),
  acme_contact: setting(optional(email), '', {
    about: 'Contact address for the authority. Many no longer send mail.',
    otherwise: 'no contact is given',
  }),
  acme_challenge: setting(oneOf('http-01', 'dns-01'), 'http-01', {
    about:
      'Challenge that proves control of a name. With "http-01" the authority requests /.well-known/acme-challenge/ at port 80 of each name: server.redirect answers, or a proxy passes it to server.http. With "dns-01" it looks up a TXT record that tls.acme_dns_program publishes, and no port has to be reachable.',
  }),
  acme_dns_program: setting(optional(path), '', {
    about:
      'For "dns-01": full path of a program that is run as `PROGRAM present NAME VALUE`, and after the order as `PROGRAM cleanup NAME VALUE`. It adds a TXT record with that value at that name beside existing ones, and exits with 0 once every name server of the zone serves it, within 10 minutes.',
  }),
  acme_ca_file: setting(optional(path), '', {
    about: 'CA certificates (PEM) for TLS with the authority, if it is a private one such as step-ca.',
    otherwise: 'the public CAs',
  }),
  acme_eab_key_id: setting(optional(text), '', {
    about:
      'External account binding (RFC 8555 §7.3.4): id of the key that the authority gave you, with tls.acme_eab_key_file.',
  }),
  acme_eab_key_file: setting(optional(path), '', {
    about: 'File with that key on its first line, in base64url.',
  }),
  names: setting(listOf(hostName, 'host names'), [], {
    about:
      'Further host names, each with a separate certificate. The daemon always requests one for domains.hostname, and with server.https for the hosts of server.base_url and of the MTA-STS policies, and with a port for mail programs for autoconfig. and autodiscover. of each domain, unless smtp.tls_cert or server.tls_cert covers them.',
  }),
})
