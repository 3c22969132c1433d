/** Sending, and what becomes of it. */
import { heading, paragraph, shell, table, type GuidePage, type Place } from './blocks.js'

export function sendingPage({ baseUrl, domain }: Place): GuidePage {
  const post = `-H "Authorization: Bearer $KEY" -H 'Content-Type: application/json'`
  return {
    name: 'sending',
    title: 'Send and answer',
    about: 'A 202 at once, a check before delivery, and the truth about each recipient.',
    blocks: [
      shell(`curl ${baseUrl}/v1/send ${post} -H "Idempotency-Key: $UUID" \\
  -d '{"to":"delivered@simulator.${domain}","subject":"Lunch","text":"Shall we meet at noon?"}'`),
      paragraph(
        'Accepted is not delivered: `202` says that the message is on disk and will be dealt with. What becomes of it comes as `message.status` events, and stands in the message for each recipient.',
      ),
      shell(`curl ${baseUrl}/v1/messages/$MESSAGE/reply ${post} -d '{"text":"Noon is fine."}'`),
      shell(`curl ${baseUrl}/v1/messages/$MESSAGE/reply-all ${post} -d '{"text":"Noon is fine for all of us."}'`),
      shell(
        `curl ${baseUrl}/v1/messages/$MESSAGE/forward ${post} -d '{"to":"delivered@simulator.${domain}","text":"See below."}'`,
      ),
      heading('Ask before sending'),
      paragraph(
        'With `dry_run=1` nothing is stored: the answer says what the check makes of it and what it would cost.',
      ),
      shell(`curl '${baseUrl}/v1/send?dry_run=1' ${post} \\
  -d '{"to":"grace@example.org","subject":"Hello","text":"A first mail."}'`),
      heading('Statuses'),
      table(
        ['status', 'meaning'],
        ['`checking`', 'the check is not done yet'],
        ['`held`', 'a human of the server looks at it; it goes out or is refused, you need do nothing'],
        ['`blocked`', 'refused: `check.reasons` says why'],
        ['`queued`, `sending`', 'on its way'],
        ['`sent`', 'some recipients have it, others are still tried'],
        ['`delivered`', 'every recipient’s server took it'],
        ['`partially_delivered`, `bounced`', 'some, or none; `recipients` says why for each'],
      ),
      heading('Try it without the world'),
      paragraph('Mail to these addresses goes nowhere and does what their names say, with all events:'),
      table(
        ['address', 'what happens'],
        [`\`delivered@simulator.${domain}\``, 'is delivered'],
        [`\`bounce@simulator.${domain}\``, 'bounces for good'],
        [`\`defer@simulator.${domain}\``, 'is deferred, then delivered'],
        [`\`complaint@simulator.${domain}\``, 'is delivered, then called spam'],
        [`\`hold@simulator.${domain}\`, \`block@simulator.${domain}\``, 'is held, is blocked by the check'],
      ),
      heading('Use rules'),
      paragraph(
        'Write only to people who expect it. No bulk or unsolicited mail, no phishing, no impersonation: each message is checked, bounces and complaints count, and abuse suspends the account. A new account may write to 25 new people a day; it rises as its mail is welcome. Answers to those who wrote first cost nothing.',
      ),
    ],
  }
}
