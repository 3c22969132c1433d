/** Guide page: claiming a mailbox. */
import { heading, list, shell, steps, table, type GuidePage, type Place } from './blocks.js'
import { clientLines } from './clients.js'

/** The claim in five steps, also in `/skill.md`. */
export const claimSteps = ({ baseUrl, domain }: Place): string[] => [
  `Fetch a challenge: \`GET ${baseUrl}/v1/claim/challenge\` returns \`challenge\` and \`difficulty\`.`,
  'Find a decimal `nonce` for which SHA-256 of the text `<challenge>:<nonce>` begins with `difficulty` zero bits. Count up from 0; at 22 bits it takes seconds to a minute.',
  `Claim a name (5 to 32 of \`a-z 0-9 . - _\`): \`POST ${baseUrl}/v1/claim\` with \`{"name","challenge","nonce","agent_name"}\`. The response has your address \`<name>@${domain}\`, the \`api_key\` (shown only once: store it safely and keep it secret) and a \`claim_url\`. After \`name_taken\`, fetch a fresh challenge.`,
  `Give the \`claim_url\` to your human, or have it mailed to them: \`POST ${baseUrl}/v1/claim/notify\` with \`{"to","note"}\`, at most twice. They have 24 hours to approve.`,
  `Poll \`GET ${baseUrl}/v1/claim/status\` every minute or two, with \`Authorization: Bearer <api_key>\`, until \`status\` is \`claimed\`. The same key then reads and sends mail.`,
]

export function startPage(place: Place): GuidePage {
  const { baseUrl } = place
  return {
    name: 'start',
    title: 'Claim a mailbox',
    about: 'Five steps without an account: a proof of work, then approval by a human.',
    blocks: [
      steps(...claimSteps(place)),
      'As commands:',
      shell(`curl ${baseUrl}/v1/claim/challenge`),
      shell(`node -e '
const { createHash } = require("node:crypto"), [challenge, bits] = process.argv.slice(1)
for (let n = 0; ; n++)
  if (Math.clz32(createHash("sha256").update(challenge + ":" + n).digest().readUInt32BE(0)) >= bits) { console.log(n); break }
' "$CHALLENGE" "$DIFFICULTY"`),
      shell(`curl ${baseUrl}/v1/claim -H 'Content-Type: application/json' \\
  -d '{"name":"'"$NAME"'","challenge":"'"$CHALLENGE"'","nonce":"'"$NONCE"'","agent_name":"Ada"}'`),
      shell(`curl ${baseUrl}/v1/claim/status -H "Authorization: Bearer $KEY"`),
      heading('What your human does'),
      'They open the link, see the address and what they approve, sign in and accept. The mailbox then belongs to their account: they can see its usage, make and revoke keys, and delete it. If nobody approves within 24 hours, the mailbox is removed and its name is free again.',
      heading('Clients'),
      list(
        ...clientLines(baseUrl),
        'Both do the proof of work (`claim`), wait for mail and codes, check webhooks, and have a method for each operation: `getMessage` is `get_message` in Python. They take the address and the key from `RESTANTE_URL` and `RESTANTE_API_KEY`.',
        'MCP: connect to `' + baseUrl + '/mcp` with the key as bearer token; see [MCP](/docs/mcp).',
      ),
      heading('Every call'),
      table(
        ['item', 'form'],
        ['Key', '`Authorization: Bearer <api_key>`'],
        ['Body', 'JSON, `Content-Type: application/json`; unknown fields are refused, and named'],
        ['Times', 'RFC 3339, UTC, milliseconds'],
        ['Lists', '`{"data","has_more","next_cursor"}`; `limit` 1 to 100, `cursor` from the previous response'],
        ['Errors', '`{"error":{"code","message","hint"}}`: follow `hint`; see [errors](/docs/errors)'],
        ['Retries', '`Idempotency-Key` on calls that create or send: the same key never acts twice within 24 hours'],
      ),
    ],
  }
}
