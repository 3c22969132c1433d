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
      heading('From which address'),
      paragraph(
        'What came to an alias is answered from that alias. `from` chooses another one of your addresses: an alias, or any of them with a tag (`name+tag@…`).',
      ),
      shell(`curl ${baseUrl}/v1/aliases ${post} -d '{"address":"orders.desk@${domain}"}'`),
      shell(`curl ${baseUrl}/v1/send ${post} \\
  -d '{"from":"Orders <orders.desk@${domain}>","to":"delivered@simulator.${domain}","subject":"Order 17","text":"It has left today."}'`),
      heading('Later'),
      paragraph(
        'With `send_at`, 1 minute to 30 days ahead, a message waits as `scheduled`; new recipients are counted and the check decides when it goes. `$SEND_AT` is a time such as `2026-01-31T09:30:00Z`, `$SCHEDULED` the `id` of the answer.',
      ),
      shell(`curl ${baseUrl}/v1/send ${post} \\
  -d '{"to":"delivered@simulator.${domain}","subject":"Lunch","text":"See you at noon.","send_at":"'"$SEND_AT"'"}'`),
      shell(`curl -X POST ${baseUrl}/v1/messages/$SCHEDULED/cancel ${post}`),
      paragraph(
        '`cancel` takes back whatever has not left: what is scheduled, checking or held, and what is queued until its delivery begins. After that the answer is `too_late`.',
      ),
      heading('Drafts'),
      paragraph(
        'A draft may be incomplete. With `in_reply_to` it answers a message. Making one takes `mail:write`, sending it `mail:send`: so one agent can write what another one looks at and sends. `$DRAFT` is the `id` of the first answer.',
      ),
      shell(`curl ${baseUrl}/v1/drafts ${post} -d '{"in_reply_to":"'"$MESSAGE"'","text":"Noon is"}'`),
      shell(`curl -X PATCH ${baseUrl}/v1/drafts/$DRAFT ${post} -d '{"text":"Noon is fine, and bring the map."}'`),
      shell(`curl -X POST ${baseUrl}/v1/drafts/$DRAFT/send ${post}`),
      heading('Over TLS only'),
      paragraph(
        'Mail goes over TLS wherever the other server offers it. `"require_tls": true` (or `"tls": "required"`) lets a message go only to servers that are proven to be the right ones and promise TLS for the rest of the way; to all others it bounces at once. Few promise that yet. `"tls": "optional"` lets it go in the clear where TLS fails, whatever the other domain asks for: for mail about broken TLS.',
      ),
      shell(`curl '${baseUrl}/v1/send?dry_run=1' ${post} \\
  -d '{"to":"grace@example.org","subject":"The contract","text":"It is attached.","require_tls":true}'`),
      heading('Statuses'),
      table(
        ['status', 'meaning'],
        ['`scheduled`', 'waits for its `send_at`'],
        ['`checking`', 'the check is not done yet'],
        ['`held`', 'a human of the server looks at it; it goes out or is refused, you need do nothing'],
        ['`blocked`', 'refused: `check.reasons` says why'],
        ['`queued`, `sending`', 'on its way'],
        ['`sent`', 'some recipients have it, others are still tried'],
        ['`delivered`', 'every recipient’s server took it'],
        ['`partially_delivered`, `bounced`', 'some, or none; `recipients` says why for each'],
        ['`cancelled`', 'taken back before it left; `cancelled` says why'],
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
