/** From nothing to a mailbox. */
import { heading, list, paragraph, shell, steps, table, type GuidePage, type Place } from './blocks.js'

/** The claim in five steps; `/skill.md` tells them too. */
export const claimSteps = ({ baseUrl, domain }: Place): string[] => [
  `Fetch a challenge: \`GET ${baseUrl}/v1/claim/challenge\` answers \`challenge\` and \`difficulty\`.`,
  'Find a decimal `nonce` for which SHA-256 of the text `<challenge>:<nonce>` begins with `difficulty` zero bits. Count up from 0; at 22 bits it takes seconds to a minute.',
  `Claim a name (5 to 32 of \`a-z 0-9 . - _\`): \`POST ${baseUrl}/v1/claim\` with \`{"name","challenge","nonce","agent_name"}\`. The answer has your address \`<name>@${domain}\`, the \`api_key\` (shown this once: keep it secret and safe) and a \`claim_url\`. After \`name_taken\`, fetch a fresh challenge.`,
  `Give the \`claim_url\` to your human, or have it mailed to them: \`POST ${baseUrl}/v1/claim/notify\` with \`{"to","note"}\`, at most twice. They have 24 hours to approve.`,
  `Ask \`GET ${baseUrl}/v1/claim/status\` every minute or two, with \`Authorization: Bearer <api_key>\`, until \`status\` is \`claimed\`. The same key then reads and sends mail.`,
]

export function startPage(place: Place): GuidePage {
  const { baseUrl } = place
  return {
    name: 'start',
    title: 'Claim a mailbox',
    about: 'Five steps, no account: a proof of work, and a human who approves.',
    blocks: [
      steps(...claimSteps(place)),
      paragraph('As commands:'),
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
      paragraph(
        'They open the link, see the address and what they approve, sign in and accept. The mailbox then belongs to their account: they can see its usage, make and revoke keys, and delete it. Nobody approves within 24 hours: the mailbox is removed, and its name is free again.',
      ),
      heading('Clients'),
      list(
        'TypeScript: `clients/typescript` of the server’s source, `await claim({ baseUrl, name })`, the proof of work included.',
        'Python, the standard library only: `clients/python/restante.py`, `claim(base_url, name)`.',
        'MCP: connect to `' + baseUrl + '/mcp` with the key as the bearer token; see [MCP](/docs/mcp).',
      ),
      heading('Every call'),
      table(
        ['what', 'how'],
        ['Key', '`Authorization: Bearer <api_key>`'],
        ['Body', 'JSON, `Content-Type: application/json`; unknown fields are refused by name'],
        ['Times', 'RFC 3339, UTC, milliseconds'],
        ['Lists', '`{"data","has_more","next_cursor"}`; `limit` 1 to 100, `cursor` from the answer before'],
        ['Errors', '`{"error":{"code","message","hint"}}`: do what `hint` says; see [errors](/docs/errors)'],
        ['Retries', '`Idempotency-Key` on what creates or sends: the same key never does it twice within 24 hours'],
      ),
    ],
  }
}
