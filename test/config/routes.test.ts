import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ConfigError } from '../../src/config/errors.js'
import { readRoutes } from '../../src/config/files.js'
import { loadConfig } from '../../src/config/load.js'

function folder(t: Test, relay: string): string {
  const dir = t.testdir({ password: 'secret\nsecond line\n' })
  writeFileSync(join(dir, 'relay.toml'), relay.replaceAll('DIR', dir))
  return dir
}

function problems(t: Test, relay: string): string[] {
  const dir = folder(t, relay)
  try {
    loadConfig({ dir })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ where, problem }) => `${where.replace(`${dir}/`, '')}: ${problem}`)
  }
  return []
}

t.test('routes are read from relay.toml, with the password of their file', async (t) => {
  const dir = folder(
    t,
    `port = 25
[[routes]]
domains = ["Example.com", ".internal.example"]
host = "mail.internal:465"
user = "us"
password_file = "DIR/password"

[[routes]]
domains = "bücher.example"
host = "direct"
`.replace('"bücher.example"', '["bücher.example"]'),
  )
  const config = loadConfig({ dir })
  t.same(await readRoutes(config), [
    {
      domains: ['example.com', '.internal.example'],
      to: { host: 'mail.internal', port: 465, auth: { user: 'us', password: 'secret' }, ca: undefined, tls: undefined },
    },
    { domains: ['xn--bcher-kva.example'], to: 'direct' },
  ])
})

t.test('a route can be set on the command line', async (t) => {
  const config = loadConfig({ set: ['relay.routes=[{ domains = ["*"], host = "127.0.0.1:2525", tls = "none" }]'] })
  t.match(config.relay.routes, [{ domains: ['*'], host: '127.0.0.1:2525', tls: 'none' }])
})

t.test('what is wrong in a route is told with its line and its key', async (t) => {
  const wrong = problems(
    t,
    `[[routes]]
domains = ["a.example"]
host = "a.example:25"

[[routes]] # the second
domains = ["b.example"]
hosts = "b.example:25"
tls = "always"
`,
  )
  t.match(wrong, [
    /^relay\.toml:5: relay\.routes number 2 has no host; that takes a host with a port/,
    /^relay\.toml:8: tls of relay\.routes number 2 is "always"; it takes one of "auto"/,
    /^relay\.toml:7: relay\.routes number 2 has the unknown setting hosts\. Did you mean host\?/,
  ])
  t.match(problems(t, 'routes = "example.com"'), [/^relay\.toml:1: relay\.routes is "example\.com"; it takes tables/])
})

t.test('routes that contradict each other or themselves are told', async (t) => {
  const route = (lines: string): string => `[[routes]]\ndomains = ["a.example"]\n${lines}\n`
  t.match(problems(t, route('host = "direct"') + route('host = "b:25"')), [
    /number 2 is for a\.example, and so is number 1/,
  ])
  t.match(problems(t, route('host = "b:25"\nuser = "x"')), [/belong together/])
  t.match(problems(t, route('host = "b:25"\nuser = "x"\npassword_file = "DIR/password"\ntls = "none"')), [
    /would send its password without TLS/,
  ])
  t.match(problems(t, route('host = "direct"\ntls = "required"')), [/goes "direct"/])
  t.match(problems(t, route('host = "b:25"\nca_file = "DIR/nothing"')), [/can't be read/])
})
