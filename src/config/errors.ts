/** What is wrong with the settings: every problem at once, each with its place and what would be right. */

export interface ConfigProblem {
  /** `config/smtp.toml:3`, or `--set smtp.listen`. */
  where: string
  /** What is wrong there, and what would be right. */
  problem: string
}

export class ConfigError extends Error {
  constructor(readonly problems: ConfigProblem[]) {
    super(problems.map(({ where, problem }) => `${where}: ${problem}`).join('\n'))
    this.name = 'ConfigError'
  }
}

/** A setting that is right by itself, and can't be followed on this machine. */
export class SettingError extends Error {
  constructor(
    /** `smtp.listen` */
    readonly setting: string,
    /** What is wrong with it here, and what would be right. */
    readonly problem: string,
  ) {
    super(`${setting}: ${problem}`)
    this.name = 'SettingError'
  }
}
