/** The driver under the HTTP of a test: the one that `RESTANTE_TEST_DRIVER` names, or what a server takes by itself. */
import { chooseDriver, type DriverChoice } from '../../src/http/listener/choose.js'
import type { Driver } from '../../src/http/listener/types.js'

const CHOICES: readonly DriverChoice[] = ['auto', 'uws', 'node']

export function testDriver(): Driver {
  const wanted = process.env['RESTANTE_TEST_DRIVER'] ?? 'auto'
  const choice = CHOICES.find((each) => each === wanted)
  if (choice === undefined) throw new Error(`RESTANTE_TEST_DRIVER is one of ${CHOICES.join(', ')}, and not ${wanted}`)
  return chooseDriver(choice)
}
