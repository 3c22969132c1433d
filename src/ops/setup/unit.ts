/** The unit of systemd for where things are on this machine, made from the one that is shipped. */

export interface UnitPlaces {
  /** Path of Restante. */
  installation: string
  /** Path of Node. */
  node: string
  configDir: string
  dataDir: string
}

const USUAL = { installation: '/opt/restante', config: '/etc/restante', data: '/var/lib/restante' }
/** Paths at which a unit finds programs by name. */
const PROGRAMS = ['/usr/local/bin/node', '/usr/bin/node', '/bin/node']

export function unitFor(shipped: string, { installation, node, configDir, dataDir }: UnitPlaces): string {
  const program = PROGRAMS.includes(node) ? '/usr/bin/env node' : node
  const lines = shipped
    .replace(/^# Restante under systemd\.[^]*?\n\n/, '# Restante under systemd, as `restante setup` made it.\n\n')
    .replaceAll(USUAL.installation, installation)
    .replace('/usr/bin/env node', program)
    .replace(`AssertDirectoryNotEmpty=${USUAL.config}`, `AssertDirectoryNotEmpty=${configDir}`)
    .replace(`--config ${USUAL.config}`, `--config ${configDir}`)
    .replace(`WorkingDirectory=${USUAL.data}`, `WorkingDirectory=${dataDir}`)
    .split('\n')
  return lines
    .flatMap((line) => {
      // These are made by systemd below /etc and /var/lib, and nowhere else.
      if (line === 'ConfigurationDirectory=restante' && configDir !== USUAL.config) return []
      if (line === 'StateDirectory=restante' && dataDir !== USUAL.data) return [`ReadWritePaths=${dataDir}`]
      if (line === 'StateDirectoryMode=0700' && dataDir !== USUAL.data) return []
      return [line]
    })
    .join('\n')
}

/** Drop-in with the differences from the unit of the package; undefined if there are none. */
export function dropInFor({ installation, node, configDir, dataDir }: UnitPlaces): string | undefined {
  if (configDir === USUAL.config && dataDir === USUAL.data) return undefined
  return `# What is otherwise than in the unit of the package, as \`restante setup\` made it.

[Unit]
AssertDirectoryNotEmpty=
AssertDirectoryNotEmpty=${configDir}

[Service]
ExecStart=
ExecStart=${installation}/systemd/launch ${node} ${installation}/bin/restante start --config ${configDir}
WorkingDirectory=${dataDir}
ReadWritePaths=${dataDir}
`
}

/** Paths that ProtectHome=yes makes unreachable. */
export function problemsOfPlaces({ installation, node }: UnitPlaces): string[] {
  const isHidden = (path: string): boolean => /^\/(?:home|root|run\/user)\//.test(path)
  return [
    ...(isHidden(installation)
      ? [
          `Restante is in ${installation}, where its unit may not look (ProtectHome). Move it: mv ${installation} /opt/restante`,
        ]
      : []),
    ...(isHidden(node)
      ? [`Node is ${node}, where the unit may not look (ProtectHome). Install it for everybody: apt-get install nodejs`]
      : []),
  ]
}
