// The floors of the architecture: a file imports from its own folder and from lower floors, never from a higher one;
// between two folders of one floor imports run one way at most.
const floors = [
  ['store', 'lib'],
  ['mime', 'authentication', 'scan', 'dns', 'config', 'observe'],
  ['mailbox', 'claims', 'accounts', 'guard'],
  ['relay', 'webhooks', 'jobs'],
  ['http', 'mx'],
  ['cli'],
]
const path = (folders) => `^src/(${folders.join('|')})(/|\\.ts$)`
const upward = floors.slice(0, -1).map((folders, floor) => ({
  name: `floor-${floor}-imports-upwards`,
  severity: 'error',
  comment: 'A lower floor must not know a higher one.',
  from: { path: path(folders) },
  to: { path: `${path(floors.slice(floor + 1).flat())}|^src/daemon\\.ts$` },
}))
// One-way streets inside a floor: [from, to] pairs that are forbidden because the other direction is in use.
const oneWay = [
  ['lib', 'store'],
  ['dns', 'authentication'],
  ['mime', 'authentication'],
  ['observe', 'config'],
  ['accounts', 'mailbox'],
  ['accounts', 'claims'],
  ['guard', 'mailbox'],
  ['guard', 'accounts'],
  ['mailbox', 'claims'],
  ['mx', 'http'],
  ['http', 'mx'],
  ['relay', 'jobs'],
].map(([from, to]) => ({
  name: `${from}-imports-${to}`,
  severity: 'error',
  comment: 'The other direction is the one in use.',
  from: { path: path([from]) },
  to: { path: path([to]) },
}))

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unlisted-folder', severity: 'error', from: {}, to: { path: '^src/(?!(store|lib|mime|authentication|scan|dns|config|observe|mailbox|claims|accounts|guard|relay|webhooks|jobs|http|mx|cli)/|daemon\\.ts$)' } },
    ...upward,
    ...oneWay,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
