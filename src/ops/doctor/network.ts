/** Checks the host's addresses and reverse names, and connections in and out at port 25 and at server.base_url. */
import { listeners } from '../../config/derived.js'
import type { Config } from '../../config/schema.js'
import { orNone } from '../../dns/optional.js'
import type { Resolver } from '../../dns/types.js'
import { isPublicAddress } from '../../lib/ip.js'
import { about, advice, command, failed, ok, record, setting, shown, skipped, warning } from './finding.js'
import type { Finding } from './types.js'

export interface AddressDeps {
  hostname: string
  resolver: Pick<Resolver, 'a' | 'aaaa' | 'ptr'>
  /** Addresses of the interfaces of this machine, without loopback. */
  own: readonly string[]
  /** relay.allow_private_addresses */
  allowPrivate: boolean
}

export async function addressesOf({ a, aaaa }: Pick<Resolver, 'a' | 'aaaa'>, name: string): Promise<string[]> {
  return (await Promise.all([orNone(a(name)), orNone(aaaa(name))])).flat()
}

/** Compares the addresses of the host name with those of the machine. */
export async function checkAddresses({ hostname, resolver, own, allowPrivate }: AddressDeps): Promise<Finding> {
  const named = await addressesOf(resolver, hostname)
  const ownPublic = own.filter(isPublicAddress)
  const records = (addresses: readonly string[]) =>
    addresses.map((address) => record(`${hostname}. IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}`))
  if (named.length === 0)
    return failed(
      `${hostname} has no address: nobody can send mail here`,
      ...(ownPublic.length > 0
        ? records(ownPublic)
        : [record(`${hostname}. IN A <the public address of this machine>`)]),
    )
  const inside = named.filter((address) => !isPublicAddress(address))
  if (inside.length > 0 && !allowPrivate)
    return failed(
      `${hostname} resolves to ${inside.join(', ')}, which can't be reached from the Internet`,
      ...records(ownPublic),
    )
  const list = named.join(', ')
  const elsewhere = named.filter((address) => !own.includes(address))
  if (elsewhere.length === 0) return ok(`${hostname} resolves to this machine: ${list}`)
  // An address family of which the machine itself has no public address is translated to it, as on most rented machines.
  const strange = elsewhere.filter((address) => ownPublic.some((mine) => isV6(mine) === isV6(address)))
  if (strange.length > 0)
    return warning(
      `${hostname} resolves to ${strange.join(', ')}, but this machine has ${ownPublic.join(', ')}`,
      ...records(ownPublic),
      advice('If that address is forwarded to this machine, leave it.'),
    )
  return ok(
    `${hostname} resolves to ${list}; this machine is behind NAT (${own.join(', ') || 'it has no address'}): ports 25 and 443 have to be forwarded to it`,
  )
}

/** RFC 1912 §2.1 and RFC 8601 §2.7.3 (iprev): each address that mail may leave from has a name, and the name has the address. */
export async function checkReverse(deps: AddressDeps): Promise<Finding[]> {
  const { hostname, resolver, own, allowPrivate } = deps
  const named = await addressesOf(resolver, hostname)
  const sending = named.filter((address) => allowPrivate || isPublicAddress(address))
  const addresses = [...new Set([...sending, ...own.filter(isPublicAddress)])]
  if (addresses.length === 0) return [skipped('no public address is known')]
  return Promise.all(
    addresses.map(async (address) => about(address, await reverseOf(address, named.includes(address), deps))),
  )
}

async function reverseOf(address: string, isNamed: boolean, { hostname, resolver }: AddressDeps): Promise<Finding> {
  const names = await orNone(resolver.ptr(address))
  const panel = advice(
    `Set the reverse name (PTR) of ${address} to ${hostname} where the address is rented: in the panel of the provider, or by a request to its support.`,
  )
  if (names.length === 0) return failed(`it has no reverse name: large receivers refuse mail from it`, panel)
  if (!names.includes(hostname))
    return failed(
      `its reverse name is ${shown(names.join(', '))} instead of ${hostname}: large receivers refuse mail from it`,
      panel,
    )
  return isNamed
    ? ok(`its reverse name is ${hostname}, which resolves to it`)
    : failed(
        `its reverse name is ${hostname}, which does not resolve to it`,
        record(`${hostname}. IN ${isV6(address) ? 'AAAA' : 'A'} ${address}`),
      )
}

/** First line of a mail server, or the problem. */
export type Greeted = { greeting: string } | { problem: string }

export async function checkInward(
  { smtp, domains, relay }: Pick<Config, 'smtp' | 'domains' | 'relay'>,
  deps: {
    resolver: Pick<Resolver, 'a' | 'aaaa'>
    isRunning: boolean
    greet: (host: string, port: number) => Promise<Greeted>
  },
): Promise<Finding[]> {
  if (!deps.isRunning) return [skipped('no daemon is running')]
  if (!smtp.listen.some((address) => address.endsWith(':25')))
    return [
      warning(
        `mail is received at ${smtp.listen.join(', ')}, but other servers connect to port 25`,
        setting('smtp.listen', '["[::]:25"]'),
        advice('If port 25 is forwarded there, leave it.'),
      ),
    ]
  const addresses = await addressesOf(deps.resolver, domains.hostname)
  const reachable = addresses.filter((address) => relay.allow_private_addresses || isPublicAddress(address))
  if (reachable.length === 0) return [skipped(`${domains.hostname} has no public address`)]
  return Promise.all(
    reachable.map(async (address) => {
      const answer = await deps.greet(address, 25)
      if ('problem' in answer)
        return about(
          address,
          warning(
            `port 25 does not answer from here (${shown(answer.problem)}); behind NAT it may still answer from outside`,
            command(`nc -v ${domains.hostname} 25   # from another machine`),
            advice(
              'If it does not answer there either: open incoming port 25 in the firewall of the machine and of the provider.',
            ),
          ),
        )
      return about(
        address,
        answer.greeting.startsWith(`220 ${domains.hostname} `)
          ? ok('port 25 answers with our name, as seen from this machine')
          : failed(`port 25 is answered by another server: ${shown(answer.greeting)}`, command('ss -ltnp sport = :25')),
      )
    }),
  )
}

/** Checks for other listeners on the daemon's ports while it does not run. @param isTaken true if a connection succeeds */
export async function checkPorts(
  config: Pick<Config, 'server' | 'smtp' | 'submission' | 'imap'>,
  isTaken: (address: string) => Promise<boolean>,
): Promise<Finding[]> {
  const addresses = listeners(config).map(({ address }) => address)
  const taken = (
    await Promise.all(addresses.map(async (address) => ((await isTaken(address)) ? [address] : [])))
  ).flat()
  if (taken.length === 0) return [ok(`no other program listens at ${addresses.join(', ')}`)]
  return taken.map((address) => {
    const port = address.slice(address.lastIndexOf(':') + 1)
    return about(
      address,
      failed(
        'another program listens there: the daemon cannot start',
        command(`ss -ltnp sport = :${port}`),
        ...(port === '443' || port === '80'
          ? [command('systemctl disable --now nginx apache2 caddy   # whichever it is')]
          : []),
        ...(port === '25' ? [command('systemctl disable --now exim4 postfix   # whichever it is')] : []),
      ),
    )
  })
}

/** Only on request: it connects to an external server. */
export async function checkOutward(
  outward: { host: string; port: number } | undefined,
  greet: (host: string, port: number) => Promise<Greeted>,
  { relay }: Pick<Config, 'relay'>,
): Promise<Finding> {
  if (!outward) return skipped('not requested: restante doctor --outward connects to the mail server of doctor.outward')
  const where = `${outward.host}:${outward.port}`
  const answer = await greet(outward.host, outward.port)
  if ('greeting' in answer)
    return answer.greeting.startsWith('220')
      ? ok(`${where} answers: mail can leave`)
      : warning(`${where} accepts no mail from here now: ${shown(answer.greeting)}`, advice('Try again in an hour.'))
  const without = relay.smarthost === '' ? failed : ok
  return without(
    `${where} cannot be reached (${shown(answer.problem)})${relay.smarthost === '' ? ': mail cannot leave' : '; mail goes through relay.smarthost'}`,
    ...(relay.smarthost === ''
      ? [
          advice('Ask the provider of this machine to open outgoing port 25; many do so on request.'),
          setting('relay.smarthost', '"smtp.example.com:587"'),
        ]
      : []),
  )
}

function isV6(address: string): boolean {
  return address.includes(':')
}
