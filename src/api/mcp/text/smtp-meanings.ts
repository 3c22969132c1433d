/** Meanings of SMTP replies for the sender, by enhanced status code (RFC 3463 §3) or reply code. */

/** By code, the most specific first. */
const MEANINGS: readonly [pattern: RegExp, meaning: string][] = [
  [/^5\.1\.1$/, 'There is no such mailbox: check the spelling, do not write there again.'],
  [/^5\.1\.(?:2|10)$/, 'The domain does not exist or takes no mail.'],
  [/^5\.1\./, 'The address is not valid there.'],
  [/^[245]\.2\.1$/, 'The mailbox is disabled.'],
  [/^[245]\.2\.2$/, 'The mailbox is full.'],
  [/^[245]\.[23]\.[34]$/, 'The message is too large for the receiver: leave files out.'],
  [/^5\.2\./, 'The mailbox does not take this mail.'],
  [/^4\.4\.|^4\.3\./, 'The receiver or the way to it fails for now.'],
  [/^5\.4\./, 'There is no way to the receiver.'],
  [/^5\.6\./, 'The receiver does not take this form of message.'],
  [/^5\.7\.(?:10|30)$/, 'The receiver does not promise TLS, which the mail asks for.'],
  [/^4\.7\./, 'The receiver asks to try later, as it does with senders it does not know.'],
  [/^5\.7\./, 'The receiver refuses the mail by its policy: repeating it will not help.'],
  [/^2\./, 'Accepted by the receiver.'],
  [/^4\./, 'A problem that may pass.'],
  [/^5\./, 'Refused for good.'],
]

/**
 * @param detail the server's reply
 * @returns undefined if unknown
 */
export function smtpMeaning(smtpCode: number | null, detail: string | null): string | undefined {
  const enhanced = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(detail?.slice(0, 200) ?? '')?.[0]
  const first = smtpCode === null ? undefined : String(smtpCode)[0]
  // A code that contradicts the reply's class is ignored (RFC 2034 §4).
  const code =
    enhanced !== undefined && (first === undefined || enhanced[0] === first) ? enhanced : first && `${first}.`
  return code === undefined ? undefined : MEANINGS.find(([pattern]) => pattern.test(code))?.[1]
}
