import { peer } from './peers/peers.js'

/** Debian's python3-dkim, whose verifier the signing tests use. */
export const dkimTool = () => peer('python3-dkim', '/usr/bin/dkimverify')
