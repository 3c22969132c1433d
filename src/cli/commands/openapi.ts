/** `restante openapi`: the API description, without a daemon. */
import { installedVersion } from '../../config/version.js'
import { EXIT } from '../command.js'
import type { Command } from '../command.js'

export const openapi: Command = {
  name: 'openapi',
  args: [],
  options: [],
  summary: 'print the API description (OpenAPI 3.1, YAML)',
  about: 'The same as GET /v1/openapi.yaml of the daemon with these settings.',
  examples: ['restante openapi > openapi.yaml'],
  async run({ config, print }) {
    const { base_url: baseUrl } = config().server
    // Loaded here, so that the other commands start without the routes.
    const [{ openapiYaml }, { routes }] = await Promise.all([
      import('../../http/openapi.js'),
      import('../../http/v1/routes.js'),
    ])
    print(openapiYaml(routes, { version: installedVersion(), baseUrl }).trimEnd())
    return EXIT.ok
  },
}
