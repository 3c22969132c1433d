/** server.toml: the daemon itself. */
import { z } from 'zod'
import {
  listenAddress,
  listOf,
  network,
  oneOf,
  optional,
  path,
  resolverAddress,
  setting,
  webAddress,
  wholeNumber,
} from '../setting/setting.js'

export const server = z.strictObject({
  data_dir: setting(path, './var', {
    about:
      'Folder of all that is stored: mail, keys, work in progress. Made when missing; a relative path starts at the folder the daemon is started in.',
  }),
  http: setting(listenAddress, '127.0.0.1:8080', {
    about:
      'Where the REST API, MCP and the pages are served without TLS: for programs on this machine, and for a proxy with TLS in front of it. From the Internet they are reached by server.https, or by that proxy.',
  }),
  http_driver: setting(oneOf('auto', 'uws', 'node'), 'auto', {
    about:
      'What serves server.http, server.redirect and server.admin. "uws" is uWebSockets.js: it takes less time for a request, and refuses bodies in chunks (411). "node" is Node\'s own server. "auto": uws where its binary loads, which depends on the version of Node and the system, node elsewhere. server.https is always served by node. `restante doctor` says which one is at work. See docs/api.md for what each makes of HTTP.',
  }),
  https: setting(listOf(listenAddress, 'addresses'), [], {
    about:
      'Where the same is served with TLS by the daemon itself, to all: "[::]:443", which takes IPv4 too, or "0.0.0.0:443" on a host without IPv6. The certificate is that of server.tls_cert, or the one of smtp.tls_cert or tls.acme that is for the name. See docs/tls.md.',
    otherwise: 'only a proxy can serve it with TLS',
  }),
  redirect: setting(listOf(listenAddress, 'addresses'), [], {
    about:
      'Where whoever comes without TLS is sent to the https address: "[::]:80" or "0.0.0.0:80". Only hosts of this server have one: those of server.base_url, domains.hostname, tls.names and the MTA-STS policies. Authorities for certificates are answered here (tls.acme).',
    otherwise: 'none',
  }),
  tls_key: setting(optional(path), '', {
    about: 'Private key (PEM) of server.tls_cert. SIGHUP reads the file again.',
    reload: true,
  }),
  tls_cert: setting(optional(path), '', {
    about:
      'Certificate with its chain (PEM) for server.https, for the host of server.base_url at least. SIGHUP reads the file again, and open connections go on.',
    otherwise: 'the certificate of smtp.tls_cert or tls.acme that is for the name',
    reload: true,
  }),
  admin: setting(listenAddress, '127.0.0.1:8081', {
    about:
      'Where the commands of `restante` reach the daemon, with a token from the data folder; metrics are here too. Keep it on a loopback address: it speaks without TLS.',
  }),
  base_url: setting(optional(webAddress), '', {
    about: 'The address under which others reach the service; claim links begin with it.',
    otherwise: 'https:// and domains.hostname when server.https is set, else http:// and server.http',
  }),
  trusted_proxies: setting(listOf(network, 'addresses and networks'), [], {
    about:
      'Proxies whose X-Forwarded-For tells who asked: limits by network, the difficulty of claims and the owner\'s list of sessions go by that address then. Name only those that set the header themselves, such as "127.0.0.1" for one on this machine that nobody else can pass through; with a proxy that is not named here all its clients count as one.',
    otherwise: 'none',
  }),
  cors_origins: setting(listOf(webAddress, 'origins'), [], {
    about:
      'Origins whose pages may call the REST API and MCP from a browser, such as "https://app.example.com", each exactly as browsers send it. Whoever can run a script in such a page has its key.',
    otherwise: 'none',
  }),
  dns: setting(listOf(resolverAddress, 'resolvers'), [], {
    about:
      'Resolvers for MX, SPF, DKIM and DMARC look-ups, asked in this order. A resolver on the same host makes mail faster and safer.',
    otherwise: 'those of the operating system',
  }),
  dns_validates: setting(oneOf('auto', 'on', 'off'), 'auto', {
    about:
      'Whether the resolvers check DNSSEC, so that their word on it counts (for DANE, see relay.dane). "auto": those on a loopback address, when they say so in their answers. "on" also believes others; then the way to them has to be safe, since anybody on it could forge the word.',
  }),
  min_free_bytes: setting(wholeNumber(0, Number.MAX_SAFE_INTEGER), 256 * 1024 * 1024, {
    about:
      'Room that stays free on the disk of server.data_dir: with less of it no mail is taken (452, the sender comes again), and GET /healthz says so. 0 is no limit.',
    unit: 'bytes',
  }),
  log_level: setting(oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', {
    about: 'The least important lines to be written to the log.',
    reload: true,
  }),
  log_format: setting(oneOf('auto', 'json', 'text'), 'auto', {
    about:
      'How the log is written to standard output: "json" is one line of JSON for each event, "text" short lines for a person. "auto": text where standard output is a terminal, JSON everywhere else, such as under systemd or in a pipe.',
  }),
  shutdown_seconds: setting(wholeNumber(1, 600), 10, {
    about:
      'On SIGTERM, how long requests and messages already accepted may take to finish. What is cut off after that is taken up again at the next start.',
    unit: 'seconds',
  }),
})
