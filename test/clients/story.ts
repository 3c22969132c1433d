/** One story with each client: claim, wait for the approval, send, wait for a code, files, labels, lists, drafts, errors. Each gives the same facts. */
import { attachment, claim, Restante, RestanteError } from '#client'

export interface Facts {
  status: string
  claimed: boolean
  code: string
  file: string
  decision: string
  sameThread: boolean[]
  labels: string[]
  threads: number
  messages: number
  draft: { revision: number; subject: string }
  waits: { object: string; hasPage: boolean }
  drafts: number
  nothing: object | null
  error: { code: string; status: number; hasHint: boolean }
  gone: boolean
}

/** Who writes a code to each, and is written to. */
export const PEER = 'pia.agent@agents.test'

/** @param onClaimed told the address, which somebody then approves; the peer then writes a code to it */
export async function typescriptStory(
  baseUrl: string,
  name: string,
  onClaimed: (address: string) => void,
): Promise<Facts> {
  const claimed = await claim({ baseUrl, name, agentName: 'Ada' })
  const { status } = await claimed.client.claimStatus()
  onClaimed(claimed.address)
  const isClaimed = await claimed.client.waitUntilClaimed({ intervalMs: 200 })
  const mailbox = new Restante({ baseUrl, apiKey: claimed.apiKey })
  const mail = { to: PEER, subject: 'Plan', text: 'Here is the plan.' }
  const { decision } = await mailbox.checkBeforeSending(mail)
  const sent = await mailbox.send({ ...mail, attachments: [attachment('plan.txt', 'Grüße', 'text/plain')] })
  const plan = await mailbox.getMessage(sent.id)
  const file = await mailbox.getAttachment(plan.id, plan.attachments[0]?.id ?? '')
  const code = await mailbox.waitForCode({ from: PEER, subjectContains: 'YOUR CODE', after: 0, timeoutMs: 60_000 })
  if (!code) throw new Error('no code')
  const { message } = code
  const reply = await mailbox.reply(message.id, { text: 'Thank you.' })
  const all = await mailbox.replyAll(message.id, { text: 'Thank you all.' }, { idempotencyKey: `all-${name}` })
  const again = await mailbox.replyAll(message.id, { text: 'Thank you all.' }, { idempotencyKey: `all-${name}` })
  const labelled = await mailbox.updateMessage(message.id, { add_labels: ['codes'], unread: false })
  const threads = []
  for await (const thread of mailbox.threads({ limit: 1, label: 'codes' })) threads.push(thread)
  const messages = []
  for await (const each of mailbox.messages({ limit: 1, direction: 'outbound' })) messages.push(each)
  const draft = await mailbox.createDraft({ to: PEER, subject: 'Friday' })
  const changed = await mailbox.updateDraft(draft.id, { text: 'Shall we say ten?', html: null })
  const waits = await mailbox.sendDraft(draft.id, { requires_approval: true })
  const drafts = []
  for await (const each of mailbox.drafts({ limit: 1 })) drafts.push(each)
  const error = await mailbox.getMessage('msg_01K7E8GQ5M1T9Q4Y7RZV3B2XNA').catch((caught: unknown) => caught)
  if (!(error instanceof RestanteError)) throw new Error('no refusal')
  await mailbox.deleteMessage(message.id)
  return {
    status,
    claimed: isClaimed,
    code: code.code,
    file: Buffer.from(file).toString(),
    decision,
    sameThread: [reply.thread_id === message.thread_id, all.id === again.id],
    labels: 'labels' in labelled ? labelled.labels : [],
    threads: threads.length,
    messages: messages.length,
    draft: { revision: changed.revision, subject: 'subject' in changed ? changed.subject : '' },
    waits: {
      object: 'object' in waits ? waits.object : '',
      hasPage: 'review_url' in waits && waits.review_url.startsWith(baseUrl),
    },
    drafts: drafts.length,
    nothing: (await mailbox.waitForMail({ timeoutMs: 0 })) ?? null,
    error: { code: error.code, status: error.status, hasHint: error.hint !== '' },
    gone: (await mailbox.listTrash()).data.some(({ id }) => id === message.id),
  }
}

/** The same in Python, as the body of a coroutine: without `await` and `async` it is the story of the client that waits. */
const STEPS = `
    claimed = await claim_it(NAME, agent_name="Ada")
    status = (await claimed.client.claim_status())["status"]
    print(claimed.address, flush=True)
    is_claimed = await claimed.client.wait_until_claimed(interval=0.2)
    mailbox = Client(api_key=claimed.api_key)
    mail = dict(to=PEER, subject="Plan", text="Here is the plan.")
    decision = (await mailbox.check_before_sending(**mail))["decision"]
    sent = await mailbox.send(**mail, attachments=[attachment("plan.txt", "Grüße", "text/plain")])
    plan = await mailbox.get_message(sent["id"])
    file = await mailbox.get_attachment(plan["id"], plan["attachments"][0]["id"])
    code = await mailbox.wait_for_code(from_=PEER, subject_contains="YOUR CODE", after=0, timeout=60)
    message = code.message
    reply = await mailbox.reply(message["id"], "Thank you.")
    everybody = await mailbox.reply_all(message["id"], "Thank you all.", idempotency_key="all-" + NAME)
    again = await mailbox.reply_all(message["id"], "Thank you all.", idempotency_key="all-" + NAME)
    labelled = await mailbox.update_message(message["id"], add_labels=["codes"], unread=False)
    threads = [each async for each in mailbox.threads(limit=1, label="codes")]
    messages = [each async for each in mailbox.messages(limit=1, direction="outbound")]
    draft = await mailbox.create_draft(to=PEER, subject="Friday")
    changed = await mailbox.update_draft(draft["id"], text="Shall we say ten?", html=None)
    waits = await mailbox.send_draft(draft["id"], requires_approval=True)
    drafts = [each async for each in mailbox.drafts(limit=1)]
    try:
        await mailbox.get_message("msg_01K7E8GQ5M1T9Q4Y7RZV3B2XNA")
    except RestanteError as caught:
        error = caught
    await mailbox.delete_message(message["id"])
    print(json.dumps({
        "status": status,
        "claimed": is_claimed,
        "code": code.code,
        "file": file.decode(),
        "decision": decision,
        "sameThread": [reply["thread_id"] == message["thread_id"], everybody["id"] == again["id"]],
        "labels": labelled["labels"],
        "threads": len(threads),
        "messages": len(messages),
        "draft": {"revision": changed["revision"], "subject": changed["subject"]},
        "waits": {"object": waits["object"], "hasPage": waits["review_url"].startswith(os.environ["RESTANTE_URL"])},
        "drafts": len(drafts),
        "nothing": await mailbox.wait_for_mail(timeout=0),
        "error": {"code": error.code, "status": error.status, "hasHint": error.hint != ""},
        "gone": any(each["id"] == message["id"] for each in (await mailbox.list_trash())["data"]),
    }))
`

/** The program that tells the story with one of the two classes. It prints the address, then the facts. */
export function pythonStory(name: string, isAsync: boolean): string {
  const steps = isAsync ? STEPS : STEPS.replaceAll('await ', '').replaceAll(' async for ', ' for ')
  return `
import asyncio, json, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from restante import ${isAsync ? 'AsyncRestante as Client, claim_async as claim_it' : 'Restante as Client, claim as claim_it'}, RestanteError, attachment
NAME = ${JSON.stringify(name)}
PEER = ${JSON.stringify(PEER)}
${isAsync ? 'async ' : ''}def story():${steps}
${isAsync ? 'asyncio.run(story())' : 'story()'}
`
}
