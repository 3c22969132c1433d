/** server.toml: data folder, listeners, proxies, DNS and log. */
import { z } from 'zod'
import { ROLES } from '../../cluster/types.js'
import {
  listenAddress,
  listOf,
  network,
  oneOf,
  optional,
  path,
  resolverAddress,
  setting,
  textWhere,
  webAddress,
  wholeNumber,
} from '../setting/setting.js'

export const server = z.strictObject({
  data_dir: setting(path, './var', {
    about:
      'Data folder: mail, keys and the work queue. Created when missing; a relative path starts at the working directory of the daemon.',
  }),
  name: setting(optional(textWhere(isServiceName, 'a name of 1 to 60 characters on one line')), '', {
    about: 'Name of this service, shown to people on every page.',
    otherwise: 'the first of domains.names',
  }),
  node: setting(
    optional(textWhere((value) => /^[\w.-]{1,64}$/.test(value), 'a name of 1 to 64 letters, digits, "-", "_" and "."')),
    '',
    {
      about: 'Name of this daemon among several on one database, in the log and in `restante cluster status`.',
      otherwise: "the machine's",
    },
  ),
  roles: setting(listOf(oneOf(...ROLES), 'roles', 1), [...ROLES], {
    about:
      'What this daemon does, where several share one database (store.url): "mx" takes mail, "api" serves HTTP, "relay" sends mail, "jobs" delivers webhooks and does all other work in the background. Each role is needed on one of them at least; work is divided between all that have its role. See docs/cluster.md.',
  }),
  secret_key_file: setting(optional(path), '', {
    about:
      'File with the key that seals the secrets in the database of store.url: 32 bytes in hexadecimal, made by "openssl rand -hex 32", the same on every machine and readable by its owner only (mode 0600). Keep a copy elsewhere: without it, the secrets in the database and in its backups are lost. Required with store.url. See docs/cluster.md.',
    otherwise: 'the secrets are files in the data folder',
  }),
  http: setting(listenAddress, '127.0.0.1:8080', {
    about:
      'HTTP listener without TLS for the REST API, MCP and the pages: for programs on this machine and for a TLS proxy in front. The Internet reaches them by server.https or by that proxy.',
  }),
  http_driver: setting(oneOf('auto', 'uws', 'node'), 'auto', {
    about:
      'HTTP server behind server.http, server.redirect and server.admin. "uws" is uWebSockets.js: it is faster, and refuses chunked request bodies (411). "node" is Node\'s own server. "auto": uws if its binary loads, which depends on the version of Node and the system, else node. server.https always uses node. `restante doctor` shows which one is running. docs/api.md lists their differences.',
  }),
  https: setting(listOf(listenAddress, 'addresses'), [], {
    about:
      'HTTPS listener for the same: "[::]:443", which includes IPv4, or "0.0.0.0:443" on a host without IPv6. The certificate is that of server.tls_cert, or the one of smtp.tls_cert or tls.acme for the host name. See docs/tls.md.',
    otherwise: 'HTTPS needs a proxy',
  }),
  redirect: setting(listOf(listenAddress, 'addresses'), [], {
    about:
      'HTTP listener that redirects to HTTPS: "[::]:80" or "0.0.0.0:80". Only hosts of this server are redirected: those of server.base_url, domains.hostname, tls.names, the MTA-STS policies and the settings for mail programs. It also answers ACME http-01 challenges (tls.acme).',
    otherwise: 'none',
  }),
  tls_key: setting(optional(path), '', {
    about: 'Private key (PEM) of server.tls_cert. SIGHUP reloads the file.',
    reload: true,
  }),
  tls_cert: setting(optional(path), '', {
    about:
      'Certificate with its chain (PEM) for server.https, valid at least for the host of server.base_url. SIGHUP reloads the file without closing connections.',
    otherwise: 'the certificate of smtp.tls_cert or tls.acme for the host name',
    reload: true,
  }),
  admin: setting(listenAddress, '127.0.0.1:8081', {
    about:
      'Admin listener for the commands of `restante`, with a token from the data folder, and for metrics. Keep it on a loopback address: it has no TLS.',
  }),
  base_url: setting(optional(webAddress), '', {
    about: 'Public URL of the service; claim links begin with it.',
    otherwise: 'https:// and domains.hostname if server.https is set, else http:// and server.http',
  }),
  trusted_proxies: setting(listOf(network, 'addresses and networks'), [], {
    about:
      'Proxies whose X-Forwarded-For gives the client address, which is then used for limits by network, the difficulty of claims and the owner\'s list of sessions. List only proxies that set the header themselves, such as "127.0.0.1" for one on this machine; all clients of an unlisted proxy count as one.',
    otherwise: 'none',
  }),
  cors_origins: setting(listOf(webAddress, 'origins'), [], {
    about:
      'Origins whose pages may call the REST API and MCP from a browser, such as "https://app.example.com", exactly as browsers send them. Any script in such a page can use its key.',
    otherwise: 'none',
  }),
  dns: setting(listOf(resolverAddress, 'resolvers'), [], {
    about: 'DNS resolvers, in order of preference. A resolver on the same host makes mail faster and safer.',
    otherwise: 'those of the operating system',
  }),
  dns_validates: setting(oneOf('auto', 'on', 'off'), 'auto', {
    about:
      'Trust the resolvers to validate DNSSEC (for DANE, see relay.dane). "auto": those on a loopback address, if their answers have the AD bit. "on" trusts others as well; then the network path to them has to be secure, or the bit could be forged.',
  }),
  min_free_bytes: setting(wholeNumber(0, Number.MAX_SAFE_INTEGER, 'bytes'), 256 * 1024 * 1024, {
    about:
      'Free space to keep on the disk of server.data_dir: with less, mail is deferred (452) and GET /healthz reports it. 0: no limit.',
  }),
  log_level: setting(oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', {
    about: 'Lowest level of log lines to write.',
    reload: true,
  }),
  log_format: setting(oneOf('auto', 'json', 'text'), 'auto', {
    about:
      'Format of the log on standard output: "json" is one line of JSON for each event, "text" short lines for humans. "auto": text on a terminal, JSON everywhere else, such as under systemd or in a pipe.',
  }),
  shutdown_seconds: setting(wholeNumber(1, 600, 'seconds'), 10, {
    about:
      'How long running requests and messages may take to finish on SIGTERM. Interrupted tasks resume at the next start.',
  }),
})

function isServiceName(value: string): boolean {
  return value.trim() === value && [...value].length <= 60 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)
}
