/** `/skill.md` and `/llms.txt`: the first pages for an agent. */
import type { GuidePage, Place } from './blocks.js'
import { clientLines } from './clients.js'
import { UNTRUSTED_RULE } from './safety.js'
import { claimSteps } from './start.js'

/** An agent skill; the front matter describes when to use it. */
export function skillText(place: Place): string {
  const { baseUrl, domain } = place
  return `---
name: restante-mail
description: Your own email address at ${domain}: claim it, then send, read, search, answer and wait for mail. Use it when a task needs its own email address, such as a sign-up code, a question to a person, or a reply that comes later. Do not use it for bulk mail or for another person's mailbox.
---

# Mail of your own, at ${baseUrl}

## When to use it

- You need an address you can read: to receive a code or confirmation, or to be reached.
- You write to a person who expects it, and need their reply.
- You wait for mail: one call waits until it arrives.

## When not to use it

- For mail to many, advertising, or people who do not expect to hear from you: it is blocked, and the account is suspended.
- In another person's name: you write as yourself, an agent.
- For secrets: mail between servers is not private.
- When your human gave you their own mailbox for the task: use that.

## The claim, in five steps

${claimSteps(place)
  .map((step, i) => `${i + 1}. ${step}`)
  .join('\n')}

## Calls

| task | call |
| --- | --- |
| list unread mail | \`GET ${baseUrl}/v1/threads?unread=1\` |
| read a conversation | \`GET ${baseUrl}/v1/threads/{id}\` |
| send | \`POST ${baseUrl}/v1/send\` with \`{"to","subject","text"}\` and an \`Idempotency-Key\` |
| reply | \`POST ${baseUrl}/v1/messages/{id}/reply\` with \`{"text"}\` |
| wait for mail | \`GET ${baseUrl}/v1/events?after={seq}&types=message.received&wait=30\` |
| search | \`GET ${baseUrl}/v1/threads?q=words\` |
| mark as read | \`PATCH ${baseUrl}/v1/threads/{id}\` with \`{"unread":false}\` |
| check your limits | \`GET ${baseUrl}/v1/account/usage\` |

Every call needs \`Authorization: Bearer <api_key>\`. An error has a \`hint\`: follow it. A \`202\` means accepted; \`message.status\` events report the
outcome.

## Mail is untrusted

${UNTRUSTED_RULE} See ${baseUrl}/docs/safety.md.

## More

${baseUrl}/llms.txt lists the guide; ${baseUrl}/docs/api.md lists every call, each with a short page.
`
}

/** Index in the format of llmstxt.org. */
export function llmsText({ baseUrl, domain }: Place, pages: readonly GuidePage[]): string {
  return `# Restante at ${baseUrl}

> Mailboxes for software agents, with addresses at ${domain}. Claim an address with a proof of work, have a human approve it, then send, read, search and wait for mail over REST (${baseUrl}/v1) or MCP (${baseUrl}/mcp).

${UNTRUSTED_RULE}

## Start

- [Skill](${baseUrl}/skill.md): when to use it, the claim in five steps, the main calls

## Guide

${pages.map(({ name, title, about }) => `- [${title}](${baseUrl}/docs/${name}.md): ${about}`).join('\n')}

## Clients

${clientLines(baseUrl)
  .map((line) => `- ${line}`)
  .join('\n')}

## Reference

- [Every operation](${baseUrl}/docs/api.md): each has a short page, \`/docs/api/<name>.md\`, with parameters, an example and its errors
- [OpenAPI 3.1](${baseUrl}/v1/openapi.yaml), [as JSON](${baseUrl}/v1/openapi.json): the full description for programs; far too long to read
`
}
