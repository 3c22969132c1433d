/** One certificate from an authority, from the account to the chain (RFC 8555 §7.1): an order for one name, its proof, the request, the download. */
import { createHash } from 'node:crypto'
import { SECOND } from '../lib/clock.js'
import type { AccountFile } from './account.js'
import { createAcmeClient, type AcmeClient, type Authorization, type Binding, type Order } from './acme.js'
import { certificateRequest } from './csr.js'
import { AcmeError } from './errors.js'
import type { Proof } from './proofs.js'
import type { Transport } from './transport.js'

export interface OrderDeps {
  transport: Transport
  directory: string
  contact: string
  binding: Binding | undefined
  account: AccountFile
  proof: Proof
  /** Waits before the next poll. @throws the signal's reason */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called for failed cleanups, which are harmless. */
  onLeftover: (error: unknown, name: string) => void
}

/** Waits between polls, unless the authority requests more; the last one is repeated. */
const LOOKS_MS = [0.2, 0.5, 1, 2, 3, 5].map((seconds) => seconds * SECOND)

/** @param key of the certificate, PEM @returns the chain, PEM @throws AcmeError; the signal's reason */
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
    // Deleted there, or the authority was reinstalled: the same key gets another account.
    const { directory, key: accountKey } = await deps.account.open()
    await deps.account.save({ directory, key: accountKey })
    return placeOrder(deps, name, key, signal)
  }
}

async function placeOrder(deps: OrderDeps, name: string, key: string, signal: AbortSignal): Promise<string> {
  const client = await openClient(deps)
  const order = await client.newOrder(name)
  checkNames(order.identifiers, name)
  for (const url of order.authorizations) await prove(deps, client, url, name, signal)
  // §7.4: it is ready when the authority has validated its challenges.
  const proven = await until(deps, () => client.order(order.url), ['pending'], signal)
  if (proven.status === 'invalid') throw failureOf(proven)
  await client.finalize(proven, certificateRequest(name, key))
  const done = await until(deps, () => client.order(order.url), ['pending', 'ready', 'processing'], signal)
  if (done.status === 'invalid') throw failureOf(done)
  if (done.certificate === undefined)
    throw new AcmeError('malformed', 'the authority does not say where the certificate is')
  return client.certificate(done.certificate)
}

/** Refuses to prove any other name than the ordered one. */
function checkNames(identifiers: Order['identifiers'], name: string): void {
  if (identifiers.length !== 1 || identifiers.some(({ type, value }) => type !== 'dns' || value !== name))
    throw new AcmeError(
      'malformed',
      `the authority requests proof for ${identifiers.map(({ value }) => value).join(', ') || 'nothing'}, but ${name} was ordered`,
    )
}

/** Opens a client with a registered account. */
async function openClient({ transport, directory, contact, binding, account }: OrderDeps): Promise<AcmeClient> {
  const known = await account.open()
  const client = createAcmeClient({ transport, directory, account: known })
  if (known.url === undefined) {
    await account.save({ ...known, url: await client.register(contact, binding), contact })
  } else if (known.contact !== contact) {
    await client.setContact(contact)
    await account.save({ ...known, contact })
  }
  return client
}

async function prove(
  deps: OrderDeps,
  client: AcmeClient,
  url: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const { proof, onLeftover } = deps
  const authorization = await client.authorization(url)
  checkNames([authorization.identifier], name)
  if (authorization.status === 'valid') return
  try {
    const challenge = authorization.challenges.find(({ type }) => type === proof.type)
    if (challenge?.token === undefined)
      throw new AcmeError('no_challenge', `the authority does not offer ${proof.type} for ${name}`)
    const { token } = challenge
    const takeBack = await proof.show({ name, token, answer: answerTo(client, proof.type, token) }, signal)
    try {
      await client.takeUp(challenge)
      const judged = await until(deps, () => client.authorization(url), ['pending'], signal)
      if (judged.status !== 'valid') throw refusalOf(judged, proof.type)
    } finally {
      const gone = takeBack().catch((error: unknown) => onLeftover(error, name))
      // Shutdown does not wait for it.
      if (!signal.aborted) await gone
    }
  } catch (error) {
    // A pending one counts against our limits (§7.5.2); a final one cannot be deactivated.
    if (!(error instanceof Refusal) && !signal.aborted)
      await client.deactivate(url).catch((failure: unknown) => onLeftover(failure, name))
    throw error
  }
}

/** Expected response: over HTTP the key authorization itself (§8.3), in DNS its digest (§8.4). */
function answerTo(client: AcmeClient, type: Proof['type'], token: string): string {
  const text = client.keyAuthorization(token)
  return type === 'http-01' ? text : createHash('sha256').update(text).digest('base64url')
}

class Refusal extends AcmeError {}

function refusalOf({ status, challenges }: Authorization, type: string): Refusal {
  const error = challenges.find((each) => each.type === type)?.error
  return new Refusal(error?.type || 'unauthorized', error?.detail || `the authority reports the challenge as ${status}`)
}

function failureOf({ error }: Order): AcmeError {
  return new AcmeError(error?.type || 'invalid', error?.detail || 'the authority refused the order')
}

/** Polls until the status is no longer `unfinished`. */
async function until<T extends Order | Authorization>(
  { wait }: OrderDeps,
  ask: () => Promise<T>,
  unfinished: readonly T['status'][],
  signal: AbortSignal,
): Promise<T> {
  for (let looks = 0; ; looks += 1) {
    const seen = await ask()
    if (!unfinished.includes(seen.status)) return seen
    const usual = LOOKS_MS[Math.min(looks, LOOKS_MS.length - 1)] ?? 0
    await wait(Math.max(usual, seen.retryAfterMs ?? 0), signal)
  }
}
