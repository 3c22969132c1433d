/** An account in the format that Thunderbird for Android and K-9 scan as a QR code ("Export for Mobile", version 1: nested arrays, with the password). */
import type { ProgramService } from './services.js'

const FORMAT_VERSION = 1
/** This code, and how many there are. */
const SEQUENCE = [1, 1]
const IMAP = 0
const SMTP = 0
const SECURITY = { starttls: 2, tls: 3 } as const
const PASSWORD_CLEARTEXT = 1

/** @param account `name` is shown to recipients of mail */
export function thunderbirdAccount(
  account: { address: string; name: string; password: string },
  { incoming, outgoing }: { incoming: ProgramService; outgoing: ProgramService },
): string {
  const { address, name, password } = account
  const server = ({ host, port, security }: ProgramService) => [
    host,
    port,
    SECURITY[security],
    PASSWORD_CLEARTEXT,
    address,
  ]
  return JSON.stringify([
    FORMAT_VERSION,
    SEQUENCE,
    // The account is named like the first identity if its name is empty.
    [IMAP, ...server(incoming), '', password],
    [
      [
        [SMTP, ...server(outgoing), password],
        [address, name],
      ],
    ],
  ])
}
