// The floors of the architecture: a file imports from its own folder and from lower floors, never from a higher one;
// between two folders of one floor imports run one way at most.
const floors = [
  ['lib', 'store', 'cluster', 'queue'],
  ['mime', 'authentication', 'identity', 'scan', 'dns', 'config', 'observe', 'publish', 'certificates'],
  ['mailbox', 'lifecycle', 'accounts', 'oauth', 'guard', 'receipts', 'audit'],
  ['relay', 'webhooks', 'reporting', 'jobs', 'ops'],
  ['http', 'smtp'],
  ['api', 'web', 'admin', 'mx', 'submission', 'imap'],
  ['cli'],
]
const path = (folders) => `^src/(${folders.join('|')})/`
const daemon = '^src/daemon/'
const unlisted = `^src/(?!(${floors.flat().join('|')})/|daemon/)`

const upward = floors.slice(0, -1).map((folders, floor) => ({
  name: `floor-${floor}-imports-upwards`,
  severity: 'error',
  comment: 'A lower floor must not know a higher one.',
  from: { path: path(folders) },
  to: { path: `${path(floors.slice(floor + 1).flat())}|${daemon}` },
}))
const strangers = [
  ['mx', 'http', 'Two protocols know nothing of each other.'],
  ['smtp', 'http', 'Two protocols know nothing of each other.'],
  ['submission', 'http', 'Two protocols know nothing of each other.'],
  ['lib', 'store', 'What everybody uses stands on nothing.'],
].map(([from, to, comment]) => ({
  name: `${from}-imports-${to}`,
  severity: 'error',
  comment,
  from: { path: path([from]) },
  to: { path: path([to]) },
}))

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'folders-import-both-ways',
      severity: 'error',
      comment:
        'Between two folders of one floor imports run one way, whichever was first; circles of more folders count too.',
      scope: 'folder',
      from: { path: '^src/[^/]+$' },
      to: { path: '^src/[^/]+$', circular: true },
    },
    ...strangers,
    {
      name: 'daemon-imports-cli',
      severity: 'error',
      comment: 'The command line starts the daemon, and not the other way round.',
      from: { path: daemon },
      to: { path: path(['cli']) },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'unlisted-folder-is-imported',
      severity: 'error',
      comment: 'Every folder stands on a floor: list it above.',
      from: {},
      to: { path: unlisted },
    },
    {
      name: 'unlisted-folder-imports',
      severity: 'error',
      comment: 'Every folder stands on a floor: list it above.',
      from: { path: unlisted },
      to: {},
    },
    {
      name: 'leaves-the-source',
      severity: 'error',
      comment: 'What is shipped is src, its client and node_modules.',
      from: { path: '^src/' },
      to: { path: '^(?!src/|clients/typescript/dist/|node_modules/)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'only-for-development',
      severity: 'error',
      comment: 'A daemon is installed without devDependencies.',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'], pathNot: '^node_modules/@types/' },
    },
    { name: 'can-not-be-found', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
