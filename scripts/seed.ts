import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '#lib/core/config/config.ts'
import type { Closers } from './launch.ts'

/*
 * npm run seed                              the demo school into an empty embedded database (--demo on a public domain)
 * npm run seed -- --from FOLDER             a folder of Markdown as a course of the school `demo`
 * npm run seed -- --from FOLDER --school S  … of the school with this subdomain
 */

/**
 * Whether an empty database gets the demo schools. Their password is published, so on a public domain only on request.
 */
export function wantsDemo(baseDomain: string, args: readonly string[]): boolean {
  if (args.includes('--empty')) return false
  return isLocal(baseDomain) || args.includes('--demo')
}

/** Whether only this machine resolves the domain (RFC 6761). */
export function isLocal(baseDomain: string): boolean {
  return baseDomain.endsWith('.localhost')
}

/** Whether there is no tenant yet. */
export async function isEmpty(): Promise<boolean> {
  const { pool } = await import('#lib/core/db/db.ts')
  const { rows } = await pool.query<{ some: boolean }>('select exists(select 1 from tenant) as some')
  return rows[0]?.some !== true
}

/** Fills an empty database with the two demo schools; a database with a tenant is not changed. */
export async function seedDemo(): Promise<void> {
  if (!(await isEmpty())) return
  const { fillDemo } = await import('./demo/fill.ts')
  await fillDemo()
}

const DEMO = { demo: { type: 'boolean', default: false } } as const

if (import.meta.main) await run()

async function run(): Promise<void> {
  const wish = readArguments()
  const { startDatabase, loadConfig, closeOnSignals } = await import('./launch.ts')
  const closers: Closers = []
  const { end } = closeOnSignals(closers)
  const config = await loadConfig('production')
  try {
    await startDatabase(config, closers)
    if (wish.from === undefined) await demo(config)
    else await importFolder(path.resolve(wish.from), wish.school)
    await end(0)
  } catch (error) {
    console.error(await explained(error))
    await end(1)
  }
}

function readArguments(): { from?: string | undefined; school: string; demo: boolean } {
  try {
    const options = { from: { type: 'string' }, school: { type: 'string', default: 'demo' }, ...DEMO } as const
    return parseArgs({ options }).values
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : error}\nnpm run seed -- [--demo] [--from FOLDER [--school NAME]]`,
    )
    process.exit(1)
  }
}

async function demo({ databaseUrl, baseDomain }: Config): Promise<void> {
  if (!wantsDemo(baseDomain, process.argv)) {
    const uk = 'пароль показової школи відомий усім, тож на цьому домені лише з --demo'
    throw new Error(
      `BASE_DOMAIN ${baseDomain}: ${uk} · the password of the demo is published: on this domain only with --demo`,
    )
  }
  if (databaseUrl)
    throw new Error(
      'DATABASE_URL: показову школу роблять лише у вбудованій базі · the demo is for the embedded database only',
    )
  if (!(await isEmpty())) return console.log('База не порожня, нічого не змінено · Not empty, nothing changed')
  await seedDemo()
  console.log('Показову школу створено · The demo school is ready: npm start')
}

async function importFolder(folder: string, subdomain: string): Promise<void> {
  const { readCourseFolder } = await import('#lib/course/transfer/read-course-folder.ts')
  const bundle = await readCourseFolder(folder)
  const { asOwner } = await import('./demo/as-owner.ts')
  const { importCourse } = await import('./demo/import-course.ts')
  const { addressOf } = await import('#lib/core/config/config.ts')
  const { courseId, lessonIds } = await asOwner(subdomain, (owner) => importCourse(owner, bundle))
  console.log(`«${bundle.title}»: ${lessonIds.length} уроків у чернетці · lessons in a draft`)
  console.log(addressOf(subdomain, `/course/edit/${courseId}`))
}

/** A refusal as text, with its fields; other errors unchanged. */
async function explained(error: unknown): Promise<string> {
  const { Refusal } = await import('#lib/core/http/refusal.ts')
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error)
  const { refusedFields, refusedMessage } = await import('#lib/core/http/api/issues.ts')
  const { getTranslator: translator } = await import('#lib/core/i18n/i18n.ts')
  return (['uk', 'en'] as const)
    .map((locale) => {
      const fields = Object.values(refusedFields(translator(locale), error)).flat()
      return fields.length > 0 ? fields.join('\n') : refusedMessage(translator(locale), error)
    })
    .join('\n')
}
