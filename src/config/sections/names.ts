/** names.toml: names that cannot be claimed. */
import { z } from 'zod'
import { listOf, setting, type Kind } from '../setting/setting.js'

const localPart: Kind<string> = {
  schema: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  takes: 'a name of letters, digits, ".", "-" and "_"',
}

// RFC 2142, the five names certificate authorities write to (CA/B Forum baseline requirements §3.2.2.4.4), and names that pass for the service.
const RESERVED =
  'abuse accounting accounts admin administrator alerts antispam api auto-reply autoconfig autodiscover autoreply ' +
  'billing bounce bounces complaint complaints compliance contact daemon dkim-reports dmarc dmarc-reports ' +
  'do-not-reply donotreply email everyone fraud ftp help helpdesk hostmaster imap info invoice invoices legal ' +
  'list list-request localhost login mail mailbox mailer-daemon mailerdaemon marketing mta-sts news newsletter ' +
  'no-reply nobody noc noreply notice notices notification notifications official operations operator owner ' +
  'password payment payments phishing pop3 postmaster privacy refund refunds report reports restante root sales ' +
  'security security-alert service signin simulator smtp spam ssladmin ssladministrator sslwebmaster staff ' +
  'submission support sysadmin system test tls-reports trust undisclosed-recipients unsubscribe usenet uucp ' +
  'verification verify webmail webmaster whois www'

export const names = z.strictObject({
  reserved: setting(listOf(localPart, 'names'), RESERVED.split(' '), {
    about:
      'Names that cannot be claimed, including look-alikes (p0stmaster, post.master). This list replaces the default one, so keep its names; postmaster, abuse and restante always go to the operator.',
  }),
})
