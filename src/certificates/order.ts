/** One certificate from an authority, from the account to the chain (RFC 8555 §7.1): an order for one name, its proof, the request, the download. */
import { setTimeout as wait } from 'node:timers/promises'
import acme from 'acme-client'
import { z } from 'zod'
import { SECOND } from '../lib/clock.js'
import type { Account, AccountFile } from './account.js'
import { certificateRequest } from './csr.js'
import { AcmeError } from './errors.js'
import type { Proof } from './proofs.js'

export interface OrderDeps {
  directory: string
  contact: string
  /** Of a key that the authority gave out beforehand (§7.3.4). */
  binding: { kid: string; hmacKey: string } | undefined
  account: AccountFile
  proof: Proof
  /** What did not go well at the end, and costs nothing. */
  onLeftover: (error: unknown, name: string) => void
}

/** From one look at the authority's progress to the next; the last one is repeated. */
const LOOKS_MS = [0.2, 0.5, 1, 2, 3, 5].map((seconds) => seconds * SECOND)

/** What the library's types leave open of a failed challenge (§8, §6.7). */
const failureSchema = z.object({ type: z.string().catch(''), detail: z.string().catch('') })

/**
 * @param key of the certificate, PEM
 * @returns the chain, PEM
 * @throws AcmeError; the signal's reason
 */
export async function orderCertificate(
  deps: OrderDeps,
  name: string,
  key: string,
  signal: AbortSignal,
): Promise<string> {
  await deps.proof.check(name)
  try {
    return await placeOrder(deps, name, key, signal)
  } catch (error) {
    if (!(error instanceof AcmeError) || error.kind !== 'accountDoesNotExist') throw error
    // Deleted there, or the authority was set up anew: the same key gets another account.
    const { directory, key: accountKey } = await deps.account.open()
    await deps.account.save({ directory, key: accountKey })
    return placeOrder(deps, name, key, signal)
  }
}

async function placeOrder(deps: OrderDeps, name: string, key: string, signal: AbortSignal): Promise<string> {
  const client = await openClient(deps)
  const order = await client.createOrder({ identifiers: [{ type: 'dns', value: name }] })
  for (const authorization of await client.getAuthorizations(order))
    await prove(deps, client, order, authorization, signal)
  await client.finalizeOrder(order, certificateRequest(name, key))
  const done = await until(() => client.getOrder(order), signal)
  if (done.status !== 'valid') {
    const { type, detail } = failureIn(done.error)
    throw new AcmeError(type || 'invalid', detail || 'the authority refused the order at its end')
  }
  return client.getCertificate(done)
}

/** With an account that the authority knows. */
async function openClient(deps: OrderDeps): Promise<acme.Client> {
  const known = await deps.account.open()
  const client = clientOf(deps, known)
  if (known.url !== undefined && known.contact === deps.contact) return client
  const contact = deps.contact === '' ? [] : [`mailto:${deps.contact}`]
  if (known.url === undefined) await client.createAccount({ termsOfServiceAgreed: true, contact })
  else await client.updateAccount({ contact })
  await deps.account.save({ ...known, url: client.getAccountUrl(), contact: deps.contact })
  return client
}

function clientOf({ directory, binding }: OrderDeps, { key, url }: Account): acme.Client {
  return new acme.Client({
    directoryUrl: directory,
    accountKey: key,
    ...(url !== undefined && { accountUrl: url }),
    ...(binding && { externalAccountBinding: binding }),
  })
}

async function prove(
  { proof, onLeftover }: OrderDeps,
  client: acme.Client,
  order: acme.Order,
  authorization: acme.Authorization,
  signal: AbortSignal,
): Promise<void> {
  if (authorization.status === 'valid') return
  const name = authorization.identifier.value
  try {
    const challenge = authorization.challenges.find(({ type }) => type === proof.type)
    if (!challenge) throw new AcmeError('no_challenge', `the authority takes no ${proof.type} for ${name}`)
    const answer = await client.getChallengeKeyAuthorization(challenge)
    const takeBack = await proof.show({ name, token: challenge.token, answer }, signal)
    try {
      await client.completeChallenge(challenge)
      const judged = await until(async () => {
        const all = await client.getAuthorizations(order)
        return all.find(({ url }) => url === authorization.url) ?? authorization
      }, signal)
      if (judged.status !== 'valid') throw refusalOf(judged, proof.type)
    } finally {
      const gone = takeBack().catch((error: unknown) => onLeftover(error, name))
      // Whoever ends the daemon does not wait for it.
      if (!signal.aborted) await gone
    }
  } catch (error) {
    // One that waits for ever counts against us (RFC 8555 §7.5.2); one that was judged can't be taken back.
    if (!(error instanceof Refusal) && !signal.aborted)
      await client.deactivateAuthorization(authorization).catch((failure: unknown) => onLeftover(failure, name))
    throw error
  }
}

class Refusal extends AcmeError {}

function refusalOf({ status, challenges }: acme.Authorization, type: string): Refusal {
  const failure = challenges.find((each) => each.type === type)?.error
  const { type: kind, detail } = failureIn(failure)
  return new Refusal(kind || 'unauthorized', detail || `the authority calls the proof ${status}`)
}

function failureIn(error: unknown): z.output<typeof failureSchema> {
  return failureSchema.catch({ type: '', detail: '' }).parse(error)
}

/** Asks until there is a verdict. */
async function until<T extends { status: string }>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let looks = 0; ; looks += 1) {
    const seen = await ask()
    if (!['pending', 'processing', 'ready'].includes(seen.status)) return seen
    await wait(LOOKS_MS[looks] ?? LOOKS_MS.at(-1), undefined, { signal })
  }
}
