/** The systemd unit for the paths of this installation, made from the shipped one. */

export interface UnitPlaces {
  installation: string
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
    .replace(/^# Restante under systemd\.[^]*?\n\n/, '# Restante under systemd, made by `restante setup`.\n\n')
    .replaceAll(USUAL.installation, installation)
    .replace('/usr/bin/env node', program)
    .replace(`AssertDirectoryNotEmpty=${USUAL.config}`, `AssertDirectoryNotEmpty=${configDir}`)
    .replace(`--config ${USUAL.config}`, `--config ${configDir}`)
    .replace(`WorkingDirectory=${USUAL.data}`, `WorkingDirectory=${dataDir}`)
    .split('\n')
  return lines
    .flatMap((line) => {
      // systemd creates these only below /etc and /var/lib.
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
  return `# Differences from the unit of the package, made by \`restante setup\`.

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
          `Restante is in ${installation}, which its unit can't read (ProtectHome). Move it: mv ${installation} /opt/restante`,
        ]
      : []),
    ...(isHidden(node)
      ? [`Node is ${node}, which the unit can't read (ProtectHome). Install it system-wide: apt-get install nodejs`]
      : []),
  ]
}
