/** Messages for review. */
import type { Agent } from './agent.js'

export const PHISH = {
  subject: 'Your account <b>is limited</b>',
  text: 'Dear customer,\n\nverify your account within 24 hours or it will be suspended:\nhttp://192.0.2.7/login\n\u202Etxt.exe\u202C\n',
  html: '<p>Dear customer, <a href="http://192.0.2.7/login">https://www.paypal.com/</a></p><img src="http://192.0.2.7/pixel.png"><script>document.title = "x"</script>',
}

/** A message that is held, by the simulator at least, with somebody who gets it once it is let go. */
export async function sendHeld(agent: Agent, more: object = {}): Promise<string> {
  const to = ['carol@peer.test', 'hold@simulator.agents.test']
  const answer = await agent.call('POST', '/v1/send', { to, subject: 'Hello', text: 'Good morning.', ...more })
  if (answer.body.status !== 'held') throw new Error(JSON.stringify(answer.body))
  return answer.body.id
}

export const statusIs = (id: string, status: string) => (event: { type: string; data: Record<string, unknown> }) =>
  event.type === 'message.status' && event.data['message_id'] === id && event.data['status'] === status
