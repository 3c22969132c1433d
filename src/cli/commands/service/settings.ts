/** `restante config …`: validation and reference of settings. */
import { changedSettings } from '../../../config/derived.js'
import { DEFAULT_PLACE, loadConfig, placeOf } from '../../../config/load.js'
import { nearest } from '../../../config/nearest.js'
import { configReference, shippedFile } from '../../../config/reference.js'
import { isSectionName, sectionNames } from '../../../config/schema.js'
import { CommandError, defineCommand, EXIT } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'

const check = defineCommand({
  usage: 'config check',
  options: ['json'],
  summary: 'check the settings without starting',
  about:
    'Says everything that is wrong, each with its file and line, and ends with 78; or names the settings that are not at their defaults.',
  examples: [
    'restante config check --config /etc/restante',
    'restante config check --set smtp.listen=0.0.0.0:25 --json',
  ],
  async run({ options, config, configDir, overrides, print }) {
    // Derived settings have their defaults.
    const changed = changedSettings(loadConfig(), config()).filter(
      ({ name }) => placeOf({ dir: configDir, set: overrides }, name) !== DEFAULT_PLACE,
    )
    const names = changed.map(({ name }) => name)
    const state = names.length === 0 ? 'All are at their defaults.' : `Not at their defaults: ${names.join(', ')}.`
    print(options.json ? json({ changed: names }) : `The settings are right. ${state}`)
  },
})

const reference = defineCommand({
  usage: 'config reference',
  options: ['file'],
  summary: 'print the reference of all settings',
  about: 'Prints docs/config.md; with --file one file of settings to start from, each explained and commented out.',
  examples: ['restante config reference', 'restante config reference --file smtp > /etc/restante/smtp.toml'],
  async run({ options: { file }, print }) {
    const section = file?.replace(/\.toml$/, '')
    if (section === undefined) print(configReference().trimEnd())
    else if (isSectionName(section)) print(shippedFile(section).trimEnd())
    else {
      const guess = nearest(section, sectionNames)
      const hint = guess === undefined ? `There are ${sectionNames.join(', ')}` : `Did you mean ${guess}?`
      throw new CommandError(EXIT.usage, `there is no ${section}.toml. ${hint}`)
    }
  },
})

export const commands = [check, reference]
