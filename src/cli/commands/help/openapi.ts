/** `restante openapi`: the API description, without a daemon. */
import { installedVersion } from '../../../config/version.js'
import { EXIT, type Command } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'

export const openapi: Command = {
  name: 'openapi',
  args: [],
  options: ['json'],
  summary: 'print the API description (OpenAPI 3.1, YAML or JSON)',
  about: 'The same as GET /v1/openapi.yaml of the daemon with these settings; with --json the same as JSON.',
  examples: ['restante openapi > openapi.yaml'],
  async run({ config, flags, print }) {
    const { base_url: baseUrl } = config().server
    // Loaded here, so that the other commands start without the routes.
    const [{ openapiDocument, openapiYaml }, { routes }] = await Promise.all([
      import('../../../http/routing/openapi.js'),
      import('../../../api/v1-routes.js'),
    ])
    const info = { version: installedVersion(), baseUrl }
    print(flags.json ? json(openapiDocument(routes, info)) : openapiYaml(routes, info).trimEnd())
    return EXIT.ok
  },
}
