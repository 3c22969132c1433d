/** `restante config …`: validation and reference of settings. */
import { changedSettings } from '../../../config/derived.js'
import { DEFAULT_PLACE, loadConfig, placeOf } from '../../../config/load.js'
import { nearest } from '../../../config/nearest.js'
import { configReference, shippedFile } from '../../../config/reference.js'
import { isSectionName, sectionNames } from '../../../config/schema.js'
import { CommandError, EXIT, type Command } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'

const check: Command = {
  name: 'config check',
  args: [],
  options: ['json'],
  summary: 'check the settings without starting',
  about:
    'Says everything that is wrong, each with its file and line, and ends with 78; or names the settings that are not at their defaults.',
  examples: [
    'restante config check --config /etc/restante',
    'restante config check --set smtp.listen=0.0.0.0:25 --json',
  ],
  async run({ flags, config, configDir, overrides, print }) {
    // Derived settings have their defaults.
    const changed = changedSettings(loadConfig(), config()).filter(
      ({ name }) => placeOf({ dir: configDir, set: overrides }, name) !== DEFAULT_PLACE,
    )
    if (flags.json) {
      print(json({ changed: changed.map(({ name }) => name) }))
      return EXIT.ok
    }
    const names = changed.map(({ name }) => name).join(', ')
    print(
      `The settings are right. ${changed.length === 0 ? 'All are at their defaults.' : `Not at their defaults: ${names}.`}`,
    )
    return EXIT.ok
  },
}

const reference: Command = {
  name: 'config reference',
  args: [],
  options: ['file'],
  summary: 'print the reference of all settings',
  about: 'Prints docs/config.md; with --file one file of settings to start from, each explained and commented out.',
  examples: ['restante config reference', 'restante config reference --file smtp > /etc/restante/smtp.toml'],
  async run({ options: { file }, print }) {
    if (file === undefined) {
      print(configReference().trimEnd())
      return EXIT.ok
    }
    const section = file.replace(/\.toml$/, '')
    if (!isSectionName(section)) {
      const guess = nearest(section, sectionNames)
      throw new CommandError(
        EXIT.usage,
        `there is no ${section}.toml. ${guess === undefined ? `There are ${sectionNames.join(', ')}` : `Did you mean ${guess}?`}`,
      )
    }
    print(shippedFile(section).trimEnd())
    return EXIT.ok
  },
}

export const configCommands: readonly Command[] = [check, reference]
