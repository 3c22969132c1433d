/**
 * The commands of a session (RFC 5321 §4.1.1), in front of the SMTP library: it keeps the session's state, greets, and upgrades to TLS; what
 * a command may look like and what it is answered is decided here.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection'
import type { SMTPServerAddress, SMTPServerError, SMTPServerSession } from 'smtp-server'
import { parseMailParameters, parseRcptParameters } from './parameters.js'
import type { Offer } from './parameters.js'
import { parsePath } from './path.js'
import type { PathProblem } from './path.js'
import { reply, replyText } from './replies.js'
import type { Reply } from './replies.js'
import { readStrictly } from './stream.js'
import type { LineDefect } from './stream.js'

export interface VerbOptions {
  maxMessageBytes: number
  maxRecipients: number
  /** Whether DSN is announced (RFC 3461). */
  dsn: boolean
  /** Asked at DATA; with a refusal the transaction stays open. */
  roomFor: (session: SMTPServerSession) => Reply | undefined
  /** MAIL was refused for its SIZE, before anybody else hears of it. */
  onTooLarge: (session: SMTPServerSession, sender: SMTPServerAddress, refusal: Reply) => void
}

type Done = () => void
type Handler = (command: Buffer, done: Done) => void

/** RFC 5321 §4.5.3.1.4 asks for 512 octets; the parameters of SIZE, SMTPUTF8 and DSN add to that (§4.1.1.11). */
const MAX_COMMAND_BYTES = 2048
/** RFC 5321 §4.5.3.1.1. */
const MAX_LOCAL_BYTES = 64

const TOO_EARLY = reply(421, '4.7.0', 'you talk before you are greeted; connect again and wait for 220')
const ENDLESS = reply(421, '4.7.0', 'command line does not end')
const NOT_HTTP = reply(421, '4.7.0', 'this is SMTP and not HTTP')
const BARE_LF = reply(500, '5.5.2', 'bare LF; lines end with CR LF')
const LINE_TOO_LONG = reply(500, '5.5.2', `command line is longer than ${MAX_COMMAND_BYTES} octets`)
const CONTROL_CHARACTER = reply(500, '5.5.2', 'command has a control character; lines end with CR LF')
const NOT_ASCII = reply(500, '5.5.2', 'only the addresses of MAIL and RCPT may go beyond ASCII, in UTF-8')
const UNKNOWN = reply(500, '5.5.1', 'command not recognized; HELP lists those there are')
const NO_HELO = reply(503, '5.5.1', 'Error: send HELO/EHLO first')
const NO_MAIL = reply(503, '5.5.1', 'send MAIL first')
const NO_RCPT = reply(503, '5.5.1', 'no valid recipients; send RCPT first')
const NESTED_MAIL = reply(503, '5.5.1', 'a transaction is open; send RSET to begin another')
const NO_ARGUMENT = reply(501, '5.5.4', 'this command takes no argument')
const MAIL_SYNTAX = reply(501, '5.5.4', 'syntax: MAIL FROM:<address> and parameters')
const RCPT_SYNTAX = reply(501, '5.5.4', 'syntax: RCPT TO:<address> and parameters')
const VRFY_SYNTAX = reply(501, '5.5.4', 'syntax: VRFY address')
const NOT_VERIFIED = reply(252, '2.0.0', 'not told here; send RCPT to try an address')
const TOO_MANY_RECIPIENTS = reply(452, '4.5.3', 'too many recipients; send the others in another transaction')
const NEEDS_SMTPUTF8 = reply(553, '5.6.7', 'an address beyond ASCII needs the SMTPUTF8 parameter of MAIL')

/** RFC 5321 §4.1.4: a session begins with a name. */
const NEEDS_HELO: ReadonlySet<string> = new Set(['MAIL', 'RCPT', 'DATA'])
/** RFC 5321 §4.1.1 and extensions: known, and not to be had here. */
const NOT_OFFERED = new Set('EXPN STARTTLS BDAT BURL AUTH ETRN ATRN TURN SEND SOML SAML LHLO'.split(' '))
const HTTP_REQUEST = /^[A-Z]+ \S* ?HTTP\/\d/i
/**
 * A domain or an address literal (RFC 5321 §4.1.1.1), and what is often sent in place of it: host names with underscores, addresses
 * without brackets.
 */
const HELO = /^\w{4} +(?=[^ ]{1,255} *$)(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9._])?|\[[a-z0-9._:-]+\]|[0-9a-f.:]+) *$/i

/** Commands that may stand in the middle of a group, and DATA, which ends one (RFC 2920 §3.1). */
const GROUPED: ReadonlySet<string> = new Set(['MAIL', 'RCPT', 'RSET', 'DATA'])

/** Puts our commands in the place of the library's. To be called before the connection is started. */
export function speakStrictly(connection: SMTPConnection, options: VerbOptions): void {
  const server = connection._server

  function say(answer: Reply, done: Done): void {
    connection.send(answer.code, replyText(answer))
    if (answer.code !== 421) connection._whenWritable(done)
  }

  function offer(): Offer | undefined {
    return connection.openingCommand === 'EHLO'
      ? {
          maxMessageBytes: options.maxMessageBytes,
          dsn: options.dsn,
          secure: connection.secure,
          startTls: connection._isSupported('STARTTLS'),
        }
      : undefined
  }

  function mail(command: Buffer, done: Done): void {
    if (connection.session.envelope.mailFrom) return say(NESTED_MAIL, done)
    const argument = /^MAIL FROM:(.*)$/i.exec(command.toString())?.[1]
    if (argument === undefined) return say(MAIL_SYNTAX, done)
    // Senders' own local parts are often longer than the 64 octets of RFC 5321 §4.5.3.1.1 (VERP, SRS), and that says nothing against them.
    const path = parsePath(argument, { null: true, postmaster: false, maxLocalBytes: 255 })
    if (path.kind === 'bad') return say(badSender(path.problem), done)
    const parameters = parseMailParameters(path.rest, offer())
    if (parameters.kind === 'refused') {
      const sender = { address: path.address, args: false } as const
      if (parameters.reply.code === 552) options.onTooLarge(connection.session, sender, parameters.reply)
      return say(parameters.reply, done)
    }
    const { size, body, smtpUtf8, requireTls, ret = null, envid = null } = parameters.value
    if (!path.isAscii && !smtpUtf8) return say(NEEDS_SMTPUTF8, done)

    const { envelope } = connection.session
    envelope.bodyType = body
    envelope.smtpUtf8 = smtpUtf8
    envelope.requireTLS = requireTls
    envelope.dsn = { ret, envid }
    const sender: SMTPServerAddress = {
      address: path.address,
      args: size === undefined ? false : { SIZE: String(size) },
    }
    server.onMailFrom(sender, connection.session, (error) => {
      if (error) return refuse(error, done)
      envelope.mailFrom = sender
      connection.send(250, 'Accepted', 'MAIL_FROM_OK')
      done()
    })
  }

  function rcpt(command: Buffer, done: Done): void {
    const { envelope } = connection.session
    if (!envelope.mailFrom) return say(NO_MAIL, done)
    const argument = /^RCPT TO:(.*)$/i.exec(command.toString())?.[1]
    if (argument === undefined) return say(RCPT_SYNTAX, done)
    const path = parsePath(argument, { null: false, postmaster: true, maxLocalBytes: MAX_LOCAL_BYTES })
    if (path.kind === 'bad') return say(badRecipient(path.problem), done)
    const parameters = parseRcptParameters(path.rest, offer())
    if (parameters.kind === 'refused') return say(parameters.reply, done)
    if (!path.isAscii && !envelope.smtpUtf8) return say(NEEDS_SMTPUTF8, done)

    // A recipient that is named again takes the place of the one before.
    const key = path.address.toLowerCase()
    const before = connection._rcptIndex.get(key)
    if (before === undefined && envelope.rcptTo.length >= options.maxRecipients) return say(TOO_MANY_RECIPIENTS, done)
    const recipient: SMTPServerAddress = { address: path.address, args: false, dsn: parameters.value }
    server.onRcptTo(recipient, connection.session, (error) => {
      if (error) return refuse(error, done)
      if (before === undefined) connection._rcptIndex.set(key, envelope.rcptTo.push(recipient) - 1)
      else envelope.rcptTo[before] = recipient
      connection.send(250, 'Accepted', 'RCPT_TO_OK')
      done()
    })
  }

  function refuse(error: SMTPServerError, done: Done): void {
    connection.send(error.responseCode ?? 550, error.message)
    done()
  }

  const bare = (handler: Handler): Handler => {
    return (command, done) => (/ \S/.test(command.toString()) ? say(NO_ARGUMENT, done) : handler(command, done))
  }

  function data(command: Buffer, done: Done): void {
    if (!connection.session.envelope.mailFrom) return say(NO_MAIL, done)
    if (connection.session.envelope.rcptTo.length === 0) return say(NO_RCPT, done)
    const refusal = options.roomFor(connection.session)
    if (refusal) return say(refusal, done)
    connection.handler_DATA(command, done)
  }

  const handlers = new Map<string, Handler>([
    [
      'EHLO',
      (command, done) => {
        connection.openingCommand = 'EHLO'
        connection.handler_EHLO(command, done)
      },
    ],
    [
      'HELO',
      (command, done) => {
        connection.openingCommand = 'HELO'
        connection.handler_HELO(command, done)
      },
    ],
    ['MAIL', mail],
    ['RCPT', rcpt],
    ['DATA', bare(data)],
    ['RSET', bare((command, done) => connection.handler_RSET(command, done))],
    ['NOOP', (command, done) => connection.handler_NOOP(command, done)],
    ['QUIT', bare((command, done) => connection.handler_QUIT(command, done))],
    ['STARTTLS', (command, done) => connection.handler_STARTTLS(command, done)],
    ['VRFY', (command, done) => say(/ \S/.test(command.toString()) ? NOT_VERIFIED : VRFY_SYNTAX, done)],
    [
      'HELP',
      (_command, done) => {
        const all = [...handlers.keys()].filter((verb) => connection._isSupported(verb))
        say(reply(214, '2.0.0', `commands: ${all.join(' ')}`), done)
      },
    ],
  ])

  function receive(line: Buffer, defect: LineDefect | undefined, done: Done): void {
    // What came in the clear behind STARTTLS is dropped there (CVE-2011-0411).
    if (connection._upgrading) return done()
    if (!connection._ready) return say(TOO_EARLY, done)
    const text = line.toString('latin1')
    if (HTTP_REQUEST.test(text)) return say(NOT_HTTP, done)
    if (defect) return say(defect === 'bare LF' ? BARE_LF : LINE_TOO_LONG, done)

    if (/[\x00-\x1f\x7f]/.test(text)) return say(CONTROL_CHARACTER, done)
    const verb = (/^[^ ]*/.exec(text)?.[0] ?? '').toUpperCase()
    if (!isAscii(line) && !((verb === 'MAIL' || verb === 'RCPT') && isUtf8(line))) return say(NOT_ASCII, done)
    if ((verb === 'EHLO' || verb === 'HELO') && !HELO.test(text)) {
      // RFC 2034 §3: no enhanced code here.
      connection.send(501, `syntax: ${verb} and the name of your host`, false)
      return connection._whenWritable(done)
    }
    if (GROUPED.has(verb)) holdReplies(connection._socket)
    // No reply may wait in a socket that STARTTLS takes away.
    else connection._socket.uncork()
    const handler = connection._isSupported(verb) ? handlers.get(verb) : undefined
    if (handler) return run(verb, handler, line, done)
    say(NOT_OFFERED.has(verb) ? reply(502, '5.5.1', `${verb} is not offered here`) : UNKNOWN, done)
  }

  function run(verb: string, handler: Handler, line: Buffer, done: Done): void {
    if (!connection.hostNameAppearsAs && NEEDS_HELO.has(verb)) return say(NO_HELO, done)
    let isDone = false
    const end = (): void => {
      isDone = true
      connection._handlerPending = false
      connection._whenWritable(done)
    }
    connection._handlerPending = true
    try {
      handler(line, end)
    } catch (error) {
      // A fault of ours ends neither the session nor the process.
      connection.emit('error', error)
      if (isDone) return
      connection.send(451, 'Error: internal server error')
      end()
    }
  }

  /** RFC 2920 §3.2: the replies to commands that came together leave together, in one packet, at the end of the turn in which they are made. */
  function holdReplies(socket: Socket): void {
    if (socket.writableCorked > 0) return
    socket.cork()
    setImmediate(() => socket.uncork())
  }

  connection._getHandler = (verb) => handlers.get(verb)
  const createParser = connection._createParser.bind(connection)
  connection._createParser = () =>
    readStrictly(createParser(), {
      maxCommandBytes: MAX_COMMAND_BYTES,
      onLine: receive,
      onEndlessLine: () => say(ENDLESS, () => undefined),
    })
  connection._parser = connection._createParser()
}

function badSender(problem: PathProblem): Reply {
  switch (problem) {
    case 'syntax':
      return MAIL_SYNTAX
    case 'local part':
      return reply(501, '5.1.7', 'the sender address has no valid local part')
    case 'no domain':
      return reply(501, '5.1.7', 'the sender address needs a domain')
    case 'domain':
      return reply(501, '5.1.8', 'the sender address has no valid domain')
    case 'too long':
      return reply(501, '5.1.7', 'the sender address is too long')
  }
}

function badRecipient(problem: PathProblem): Reply {
  switch (problem) {
    case 'syntax':
      return RCPT_SYNTAX
    case 'local part':
      return reply(501, '5.1.3', 'the recipient address has no valid local part')
    case 'no domain':
      return reply(501, '5.1.3', 'the recipient address needs a domain')
    case 'domain':
      return reply(501, '5.1.2', 'the recipient address has no valid domain')
    case 'too long':
      return reply(501, '5.1.3', 'the recipient address is too long')
  }
}
