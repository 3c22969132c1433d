/**
 * A DNS server for tests: one table of names, served over UDP and TCP on the loopback address.
 *
 * NXDOMAIN and NODATA are told apart (RFC 2308 §2): a name has data when it, or a name under it, is in the table. CNAMEs
 * are followed inside the table. A name can misbehave on purpose.
 */
import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import dnsPacket, { type Answer, type Packet } from 'dns-packet'
import { listenAnywhere } from '../ports.js'

export interface ZoneRecords {
  A?: string[]
  AAAA?: string[]
  MX?: { priority: number; exchange: string }[]
  /** A list inside the list is one record of several strings; a long string is split at 255 octets. */
  TXT?: (string | string[])[]
  PTR?: string[]
  CNAME?: string[]
  SRV?: { priority: number; weight: number; port: number; target: string }[]
  TLSA?: { usage: number; selector: number; matchingType: number; certificate: Buffer }[]
}

export type ZoneType = keyof ZoneRecords

/**
 * `timeout` never answers, `servfail` and `refused` answer with that code, `truncated` answers UDP with an empty truncated
 * message (RFC 1035 §4.2.1) and TCP in full, `garbage` answers UDP with an unreadable message of the right id,
 * `other-question` answers UDP about another name first.
 */
export type Behaviour = 'timeout' | 'servfail' | 'refused' | 'truncated' | 'garbage' | 'other-question'

export interface ZoneName extends ZoneRecords {
  /** Seconds; 300 when not given. */
  ttl?: number
  behaviour?: Behaviour
  /** Answers about the name are marked as authentic, as a resolver that validates marks those of signed zones (RFC 4035 §3.2.3). */
  signed?: boolean
}

/** Names in any case, without the final dot. */
export type Zone = Record<string, ZoneName>

export interface Query {
  name: string
  type: string
  transport: 'udp' | 'tcp'
  /** Source port of the question. */
  port: number
}

export interface DnsServer {
  /** `127.0.0.1:port`, the form of the setting `server.dns`. */
  address: string
  /** Every question that came in, in order. */
  queries: Query[]
  /** Replaces the records of one type of a name; the name is made when it is missing. */
  set<T extends ZoneType>(name: string, type: T, records: NonNullable<ZoneRecords[T]>): void
  /** Sets the answers of a name; `undefined` resets it. */
  behave(name: string, behaviour: Behaviour | undefined): void
  ttl(name: string, seconds: number): void
  sign(name: string, signed?: boolean): void
  /** Removes one type of a name, or the whole name. */
  remove(name: string, type?: ZoneType): void
  close(): Promise<void>
}

export interface DnsServerOptions {
  /** The `minimum` of the SOA record that comes with negative answers; `null` sends none. 60 when not given. */
  negativeTtl?: number | null
  /** Listening address, for programs whose port cannot be set; a free port on 127.0.0.1 when missing. */
  listen?: { host: string; port: number }
}

const AUTHENTIC_DATA = 0x20
const RCODE = { noerror: 0, formerr: 1, servfail: 2, nxdomain: 3, refused: 5 }

export async function startDnsServer(zone: Zone = {}, options: DnsServerOptions = {}): Promise<DnsServer> {
  const names = new Map<string, ZoneName>()
  for (const [name, records] of Object.entries(zone)) names.set(canonical(name), { ...records })
  const queries: Query[] = []
  const negativeTtl = options.negativeTtl === undefined ? 60 : options.negativeTtl

  const entry = (name: string): ZoneName => {
    const found = names.get(canonical(name))
    if (found) return found
    const made: ZoneName = {}
    names.set(canonical(name), made)
    return made
  }
  const exists = (name: string): boolean =>
    names.has(name) || [...names.keys()].some((known) => known.endsWith(`.${name}`))

  /** A name that is not there is as secure as what it would be under. */
  const isSigned = (name: string): boolean => {
    for (let at = name; at !== ''; at = at.includes('.') ? at.slice(at.indexOf('.') + 1) : '') {
      const signed = names.get(at)?.signed
      if (signed !== undefined) return signed
    }
    return false
  }

  function answer(question: Packet): Packet {
    const asked = question.questions?.[0]
    const reply = { type: 'response' as const, id: question.id, questions: question.questions }
    if (!asked) return { ...reply, flags: RCODE.formerr }
    const answers: Answer[] = []
    let name = asked.name
    // Whoever does not ask is not told (RFC 6840 §5.8).
    let authentic = ((question.flags ?? 0) & AUTHENTIC_DATA) !== 0
    for (let hops = 0; hops < 20; hops++) {
      const found = names.get(canonical(name))
      authentic &&= isSigned(canonical(name))
      const alias = asked.type === 'CNAME' ? undefined : found?.CNAME?.[0]
      if (found && alias !== undefined) {
        answers.push({ type: 'CNAME', name, ttl: found.ttl ?? 300, class: 'IN', data: alias })
        name = alias
        continue
      }
      if (found) answers.push(...recordsOf(name, asked.type, found))
      const rcode = found || exists(canonical(name)) ? RCODE.noerror : RCODE.nxdomain
      const negative = !answers.some((a) => a.type === asked.type) && negativeTtl !== null
      return {
        ...reply,
        flags: 0x0580 | rcode | (authentic ? AUTHENTIC_DATA : 0),
        answers,
        authorities: negative ? [soa(name, negativeTtl)] : [],
      }
    }
    return { ...reply, flags: RCODE.servfail }
  }

  function handle(message: Buffer, transport: Query['transport'], port: number, send: (reply: Buffer) => void): void {
    const question = dnsPacket.decode(message)
    const asked = question.questions?.[0]
    if (!asked) return
    queries.push({ name: canonical(asked.name), type: asked.type, transport, port })
    const failed = (rcode: number): Buffer =>
      dnsPacket.encode({ type: 'response', id: question.id, flags: 0x0180 | rcode, questions: question.questions })
    const full = (): Buffer => dnsPacket.encode(answer(question))
    const behaviour = names.get(canonical(asked.name))?.behaviour
    if (behaviour === 'timeout') return
    if (behaviour === 'servfail') return send(failed(RCODE.servfail))
    if (behaviour === 'refused') return send(failed(RCODE.refused))
    if (transport === 'tcp') return send(full())
    if (behaviour === 'garbage')
      return send(Buffer.concat([message.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, 9])]))
    if (behaviour === 'other-question') {
      const other = [{ type: 'A' as const, name: 'other.example', class: 'IN' as const }]
      const data = [{ type: 'A' as const, name: asked.name, ttl: 300, data: '192.0.2.66' }]
      send(dnsPacket.encode({ type: 'response', id: question.id, flags: 0x0180, questions: other, answers: data }))
    }
    const reply = full()
    // RFC 6891 §6.2.5: without EDNS0 an answer over UDP has at most 512 octets.
    const opt = question.additionals?.find((record) => record.type === 'OPT')
    const limit = opt?.type === 'OPT' ? opt.udpPayloadSize : 512
    if (behaviour === 'truncated' || reply.length > limit) {
      return send(dnsPacket.encode({ type: 'response', id: question.id, flags: 0x0380, questions: question.questions }))
    }
    send(reply)
  }

  const tcp = createServer()
  const sockets = new Set<Socket>()
  tcp.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0)
        handle(received.subarray(2, end), 'tcp', socket.remotePort ?? 0, (reply) => {
          const length = Buffer.alloc(2)
          length.writeUInt16BE(reply.length)
          socket.write(Buffer.concat([length, reply]))
        })
        received = received.subarray(end)
      }
    })
  })

  const { udp, port } = await bindBoth(tcp, options.listen)
  udp.on('message', (message, from) => {
    handle(message, 'udp', from.port, (reply) => udp.send(reply, from.port, from.address))
  })

  return {
    address: `${options.listen?.host ?? '127.0.0.1'}:${port}`,
    queries,
    set(name, type, records) {
      entry(name)[type] = records
    },
    behave(name, behaviour) {
      const found = entry(name)
      if (behaviour === undefined) delete found.behaviour
      else found.behaviour = behaviour
    },
    sign(name, signed = true) {
      entry(name).signed = signed
    },
    ttl(name, seconds) {
      entry(name).ttl = seconds
    },
    remove(name, type) {
      if (type) delete entry(name)[type]
      else names.delete(canonical(name))
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ])
    },
  }
}

/** One port number for both transports: TCP gets any free one, UDP the same; another try when it is taken. */
async function bindBoth(tcp: ReturnType<typeof createServer>, fixed: DnsServerOptions['listen']) {
  for (let attempt = 0; ; attempt++) {
    const port = fixed?.port ?? (await listenAnywhere(tcp))
    if (fixed) await once(tcp.listen(fixed), 'listening')
    const udp = createSocket('udp4')
    try {
      udp.bind(port, fixed?.host ?? '127.0.0.1')
      await once(udp, 'listening')
      return { udp, port }
    } catch (error) {
      udp.close()
      await new Promise<void>((resolve) => tcp.close(() => resolve()))
      if (attempt === 9 || fixed) throw error
    }
  }
}

function recordsOf(name: string, type: string, records: ZoneName): Answer[] {
  const base = { name, ttl: records.ttl ?? 300, class: 'IN' as const }
  switch (type) {
    case 'A':
      return (records.A ?? []).map((data) => ({ ...base, type: 'A', data }))
    case 'AAAA':
      return (records.AAAA ?? []).map((data) => ({ ...base, type: 'AAAA', data }))
    case 'MX':
      return (records.MX ?? []).map(({ priority, exchange }) => ({
        ...base,
        type: 'MX',
        data: { preference: priority, exchange: exchange === '' ? '.' : exchange },
      }))
    case 'TXT':
      return (records.TXT ?? []).map((text) => ({
        ...base,
        type: 'TXT',
        data: Array.isArray(text) ? text : (text.match(/[^]{1,255}/g) ?? ['']),
      }))
    case 'PTR':
      return (records.PTR ?? []).map((data) => ({ ...base, type: 'PTR', data }))
    case 'SRV':
      return (records.SRV ?? []).map((data) => ({ ...base, type: 'SRV', data }))
    case 'TLSA':
      return (records.TLSA ?? []).map((data) => ({ ...base, type: 'TLSA', data }))
    case 'CNAME':
      return (records.CNAME ?? []).map((data) => ({ ...base, type: 'CNAME', data }))
    default:
      return []
  }
}

function soa(name: string, minimum: number): Answer {
  const data = { mname: 'ns.invalid', rname: 'hostmaster.invalid', serial: 1, refresh: 1, retry: 1, expire: 1, minimum }
  return { type: 'SOA', name, ttl: 3600, class: 'IN', data }
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
