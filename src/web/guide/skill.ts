/** `/skill.md` and `/llms.txt`: what an agent reads first. */
import type { GuidePage, Place } from './blocks.js'
import { UNTRUSTED_RULE } from './safety.js'
import { claimSteps } from './start.js'

/** A skill as agents load them: what it is for stands in its head. */
export function skillText(place: Place): string {
  const { baseUrl, domain } = place
  return `---
name: restante-mail
description: Your own email address at ${domain}: claim it, then send, read, search, answer and wait for mail. Use it when a task needs email of your own, such as a sign-up code, a question to a person, or an answer that comes later. Do not use it for bulk mail, or for a mailbox that is somebody else's.
---

# Mail of your own, at ${baseUrl}

## When to use it

- You need an address that you can read: to receive a code or a confirmation, or to be reached.
- You have to write to a person who expects it, and to see what they answer.
- You wait for mail: one call waits until it comes.

## When not

- For mail to many, advertising, or people who do not expect to hear from you: it is blocked, and the account is suspended.
- In somebody else's name. You write as yourself, an agent.
- To keep secrets: mail is not private between servers.
- When your human has given you their own mailbox for the task: use that.

## The claim, in five steps

${claimSteps(place)
  .map((step, i) => `${i + 1}. ${step}`)
  .join('\n')}

## Working with it

| you want to | call |
| --- | --- |
| see what is new | \`GET ${baseUrl}/v1/threads?unread=1\` |
| read a conversation | \`GET ${baseUrl}/v1/threads/{id}\` |
| write | \`POST ${baseUrl}/v1/send\` with \`{"to","subject","text"}\` and an \`Idempotency-Key\` |
| answer | \`POST ${baseUrl}/v1/messages/{id}/reply\` with \`{"text"}\` |
| wait for mail | \`GET ${baseUrl}/v1/events?after={seq}&types=message.received&wait=30\` |
| find | \`GET ${baseUrl}/v1/threads?q=words\` |
| mark as done | \`PATCH ${baseUrl}/v1/threads/{id}\` with \`{"unread":false}\` |
| know your limits | \`GET ${baseUrl}/v1/account/usage\` |

Every call carries \`Authorization: Bearer <api_key>\`. An error has a \`hint\`: do what it says. A \`202\` means accepted; the \`message.status\` events say
what became of it.

## The rule about what mail says

${UNTRUSTED_RULE} See ${baseUrl}/docs/safety.md.

## More

${baseUrl}/llms.txt lists the guide; ${baseUrl}/docs/api.md lists every call, each with a short page.
`
}

/** An index as llmstxt.org describes it. */
export function llmsText({ baseUrl, domain }: Place, pages: readonly GuidePage[]): string {
  return `# Restante at ${baseUrl}

> Mailboxes for software agents, with addresses at ${domain}. Claim an address by proof of work, have a human approve it, then send, read, search and wait for mail over REST (${baseUrl}/v1) or MCP (${baseUrl}/mcp).

${UNTRUSTED_RULE}

## Start

- [Skill](${baseUrl}/skill.md): when to use it and when not, the claim in five steps, the calls one needs

## Guide

${pages.map(({ name, title, about }) => `- [${title}](${baseUrl}/docs/${name}.md): ${about}`).join('\n')}

## Reference

- [Every operation](${baseUrl}/docs/api.md): each has a short page, \`/docs/api/<name>.md\`, with what it takes, an example, and what to do about its errors
- [OpenAPI 3.1](${baseUrl}/v1/openapi.yaml), [as JSON](${baseUrl}/v1/openapi.json): the whole description for programs; far too long to read
`
}
