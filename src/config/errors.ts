/** Errors in the settings: all problems at once, each with its place and its remedy. */

export interface ConfigProblem {
  /** `config/smtp.toml:3`, or `--set smtp.listen`. */
  where: string
  /** Problem and remedy. */
  problem: string
}

export class ConfigError extends Error {
  constructor(readonly problems: ConfigProblem[]) {
    super(problems.map(({ where, problem }) => `${where}: ${problem}`).join('\n'))
    this.name = 'ConfigError'
  }
}

/** A valid setting that cannot be applied on this machine. */
export class SettingError extends Error {
  constructor(
    /** `smtp.listen` */
    readonly setting: string,
    /** Problem and remedy. */
    readonly problem: string,
  ) {
    super(`${setting}: ${problem}`)
    this.name = 'SettingError'
  }
}
