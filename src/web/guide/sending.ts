/** Guide page: sending and delivery status. */
import { heading, shell, table, type GuidePage, type Place } from './blocks.js'

export function sendingPage({ baseUrl, domain }: Place): GuidePage {
  const post = `-H "Authorization: Bearer $KEY" -H 'Content-Type: application/json'`
  return {
    name: 'sending',
    title: 'Send and reply',
    about: 'Send, reply, schedule, draft, and follow the delivery to each recipient.',
    blocks: [
      shell(`curl ${baseUrl}/v1/send ${post} -H "Idempotency-Key: $UUID" \\
  -d '{"to":"delivered@simulator.${domain}","subject":"Lunch","text":"Shall we meet at noon?"}'`),
      'Accepted is not delivered: `202` means that the message is stored and will be processed. `message.status` events report its progress, and the message shows the state of each recipient.',
      shell(`curl ${baseUrl}/v1/messages/$MESSAGE/reply ${post} -d '{"text":"Noon is fine."}'`),
      shell(`curl ${baseUrl}/v1/messages/$MESSAGE/reply-all ${post} -d '{"text":"Noon is fine for all of us."}'`),
      shell(
        `curl ${baseUrl}/v1/messages/$MESSAGE/forward ${post} -d '{"to":"delivered@simulator.${domain}","text":"See below."}'`,
      ),
      heading('Check before sending'),
      'With `dry_run=1` nothing is stored: the response shows the result of the check and the cost.',
      shell(`curl '${baseUrl}/v1/send?dry_run=1' ${post} \\
  -d '{"to":"grace@example.org","subject":"Hello","text":"A first mail."}'`),
      heading('Sender address'),
      'A reply to mail received at an alias is sent from that alias. `from` selects another of your addresses: an alias, or any address with a tag (`name+tag@…`).',
      shell(`curl ${baseUrl}/v1/aliases ${post} -d '{"address":"orders.desk@${domain}"}'`),
      shell(`curl ${baseUrl}/v1/send ${post} \\
  -d '{"from":"Orders <orders.desk@${domain}>","to":"delivered@simulator.${domain}","subject":"Order 17","text":"It has left today."}'`),
      heading('Scheduling'),
      'With `send_at`, 1 minute to 30 days ahead, a message waits as `scheduled`; when it is due, new recipients are counted and the check decides. `$SEND_AT` is a time such as `2026-01-31T09:30:00Z`, `$SCHEDULED` the `id` in the response.',
      shell(`curl ${baseUrl}/v1/send ${post} \\
  -d '{"to":"delivered@simulator.${domain}","subject":"Lunch","text":"See you at noon.","send_at":"'"$SEND_AT"'"}'`),
      shell(`curl -X POST ${baseUrl}/v1/messages/$SCHEDULED/cancel ${post}`),
      '`cancel` stops a message that is scheduled, checking, held, or queued with no delivery begun. Later it returns `too_late`.',
      heading('Drafts'),
      'A draft may be incomplete. With `in_reply_to` it is a reply. Creating one needs `mail:write`, sending it `mail:send`: so one agent can write and another review and send. `$DRAFT` is the `id` in the first response.',
      shell(`curl ${baseUrl}/v1/drafts ${post} -d '{"in_reply_to":"'"$MESSAGE"'","text":"Noon is"}'`),
      shell(`curl -X PATCH ${baseUrl}/v1/drafts/$DRAFT ${post} -d '{"text":"Noon is fine, and bring the map."}'`),
      shell(`curl -X POST ${baseUrl}/v1/drafts/$DRAFT/send ${post}`),
      'Your human can read, change and send a draft at its `review_url`. A send with `"requires_approval": true`, a key or a mailbox that has it, answers with a draft that waits for them: nothing is sent until the event `draft.approved`; `draft.returned` has their note.',
      heading('Requiring TLS'),
      'Mail is sent over TLS wherever the other server offers it. `"require_tls": true` (or `"tls": "required"`) delivers only to authenticated servers that support REQUIRETLS for the rest of the way; otherwise the message bounces at once. Few servers support it yet. `"tls": "optional"` allows plaintext where TLS fails, whatever the other domain requires: for mail about broken TLS.',
      shell(`curl '${baseUrl}/v1/send?dry_run=1' ${post} \\
  -d '{"to":"grace@example.org","subject":"The contract","text":"It is attached.","require_tls":true}'`),
      heading('Statuses'),
      table(
        ['status', 'meaning'],
        ['`scheduled`', 'waits for its `send_at`'],
        ['`checking`', 'the check is running'],
        ['`held`', 'waits for a human reviewer of the server, who approves or rejects it; you need do nothing'],
        ['`blocked`', 'refused; see `check.reasons`'],
        ['`queued`, `sending`', 'on its way'],
        ['`sent`', 'some recipients have it, others are being retried'],
        ['`delivered`', 'every recipient’s server accepted it'],
        ['`partially_delivered`, `bounced`', 'delivered to some, or none; `recipients` has the reasons'],
        ['`cancelled`', 'stopped before delivery; `cancelled` has the reason'],
      ),
      heading('Test addresses'),
      'Mail to these addresses never leaves the server and produces the outcome in their names, with all events:',
      table(
        ['address', 'outcome'],
        [`\`delivered@simulator.${domain}\``, 'delivered'],
        [`\`bounce@simulator.${domain}\``, 'bounced'],
        [`\`defer@simulator.${domain}\``, 'deferred, then delivered'],
        [`\`complaint@simulator.${domain}\``, 'delivered, then a spam complaint'],
        [`\`hold@simulator.${domain}\`, \`block@simulator.${domain}\``, 'held, or blocked by the check'],
      ),
      heading('Rules'),
      'Write only to people who expect it. No bulk or unsolicited mail, no phishing, no impersonation: each message is checked, bounces and complaints count, and abuse suspends the account. A new account may write to 25 new recipients a day; good results raise the limit. Replies to people who wrote first do not count.',
    ],
  }
}
