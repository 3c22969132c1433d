/**
 * The tables. Names sort by their octets, as keys do. A partition has a version row if and only if it has rows. A mark is the fate of one commit in
 * one of its partitions, kept for as long as somebody may look it up.
 * Citus distributes all three by partition, so that what a partition has is on one worker.
 */
import { hasCode } from '../../../lib/thrown.js'
import { allOf, type Answer, type Link } from './postgres-link.js'

/** Grows with each change of the tables. */
export const TABLES = 1

const CREATE = [
  'create table restante_layout (tables int not null)',
  'create table restante_version (partition text collate "C" primary key, version bigint not null) with (fillfactor = 50)',
  'create table restante_row (partition text collate "C", key bytea, value bytea not null, primary key (partition, key)) with (fillfactor = 90)',
  // Values are compressed already; a few KB beside the key are read with one look.
  'alter table restante_row alter column value set storage main',
  'create table restante_mark (partition text collate "C", mark text collate "C", fate text not null, made_at timestamptz not null default now(), primary key (partition, mark))',
]

/** A Citus coordinator reads each partition at its own moment. */
export async function isCitus(link: Link): Promise<boolean> {
  const [found] = await asked(link, ["select 1 from pg_extension where extname = 'citus'"])
  return found?.rows.length === 1
}

/** @returns undefined for a database without our tables */
export async function tablesOf(link: Link): Promise<number | undefined> {
  const answers = await link.send([{ text: 'select tables from restante_layout' }])
  if (hasCode(answers[0], UNDEFINED_TABLE)) return undefined
  return Number(allOf(answers)[0]?.rows[0]?.[0])
}

/** Creates the tables; does nothing if another process was faster. @throws Error without the rights */
export async function createTables(link: Link): Promise<void> {
  const citus = (await isCitus(link))
    ? ['version', 'row', 'mark'].map((name) => `select create_distributed_table('restante_${name}', 'partition')`)
    : []
  // Objects of a name are created once: the second process waits for the first, and fails.
  const texts = ['begin', ...CREATE, `insert into restante_layout values (${TABLES})`, ...citus, 'commit']
  const answers = await link.send(texts.map((text) => ({ text })))
  const failed = answers.find((answer) => answer instanceof Error)
  if (failed && ![DUPLICATE_TABLE, DUPLICATE_OBJECT, UNIQUE_VIOLATION].some((code) => hasCode(failed, code)))
    throw failed
}

/** Settings of the server with which a commit would not be on the disk when it is said to be. */
export async function refusedSettings(link: Link): Promise<string[]> {
  const names = ['fsync', 'synchronous_commit', 'full_page_writes']
  const answers = await asked(
    link,
    names.map((name) => `show ${name}`),
  )
  return names.filter((_, i) => answers[i]?.rows[0]?.[0] === 'off')
}

/** `UTF8` for a database that keeps every name as it is. */
export async function encodingOf(link: Link): Promise<string> {
  const [encoding] = await asked(link, ['show server_encoding'])
  return encoding?.rows[0]?.[0] ?? ''
}

/** @returns how far the clock of this machine is ahead of the server's, in milliseconds; negative for behind */
export async function clockAhead(link: Link, now: () => number): Promise<number> {
  const before = now()
  const [answer] = await asked(link, ['select (extract(epoch from clock_timestamp()) * 1000)::bigint'])
  return (before + now()) / 2 - Number(answer?.rows[0]?.[0])
}

const UNDEFINED_TABLE = '42P01'
const DUPLICATE_TABLE = '42P07'
/** The row type of a table that another process has just created. */
const DUPLICATE_OBJECT = '42710'
const UNIQUE_VIOLATION = '23505'

async function asked(link: Link, texts: string[]): Promise<Answer[]> {
  return allOf(await link.send(texts.map((text) => ({ text }))))
}
