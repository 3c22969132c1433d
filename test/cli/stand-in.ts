/** A daemon's admin listener with set answers, which asks for the token of the data folder. */
import { createServer } from 'node:http'
import type { Test } from 'tap'
import { openSecrets } from '../../src/config/secrets.js'
import { listenAnywhere } from '../support/ports.js'

/**
 * @param asked is told of each call
 * @returns the options that lead there
 */
export async function standIn(
  t: Test,
  answers: Record<string, unknown>,
  asked: (call: string) => void = () => undefined,
): Promise<string[]> {
  const dataDir = t.testdir({})
  const { adminToken } = await openSecrets(dataDir)
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url}`
    asked(call)
    const answer = answers[call]
    if (request.headers.authorization !== `Bearer ${adminToken}` || answer === undefined) response.statusCode = 401
    else if (typeof answer === 'object' && answer !== null && 'error' in answer) response.statusCode = 404
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  const port = await listenAnywhere(server)
  t.teardown(() => server.close())
  return ['--set', `server.data_dir=${dataDir}`, '--set', `server.admin=127.0.0.1:${port}`]
}
