import { MODULES, SHARED_ISLANDS } from './modules.ts'
import type { SourceFile, Violation } from './source.ts'

const MOST_LINES = 300
const MOST_FILES = 25
const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const PASCAL = /^[A-Z][A-Za-z0-9]*$/
const NAMELESS = /(^|-)(utils?|helpers?|common|types?|constants?|managers?|services?|misc)$|-\d+$/i
const ISLAND_FOLDERS = [
  ...MODULES,
  ...SHARED_ISLANDS,
  'ui',
  'stores',
  'upload',
  'dashboard',
  'landing',
  'identity',
  'shell',
]

/** No file of the product is longer than 300 lines. */
export function tooLongFiles({ path, source }: SourceFile): Violation[] {
  const lines = source.trimEnd().split('\n').length
  return lines > MOST_LINES ? [{ path, message: `has ${lines} lines, ${MOST_LINES} at most: split it by aspect` }] : []
}

/** The folders and names of files. */
export function misplacedFiles({ path }: SourceFile): Violation[] {
  const message = problemOf(path)
  return message ? [{ path, message }] : []
}

/** Folders with too many files: `paths` are all files of the product and its tests. */
export function crowdedFolders(paths: string[]): Violation[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > MOST_FILES && !folder.startsWith(MIGRATIONS))
    .map(([folder, count]) => ({ path: folder, message: `has ${count} files, ${MOST_FILES} at most: split it` }))
}

const MIGRATIONS = 'src/lib/core/db/migrations'
const SILENT = new Set(['table.ts', 'schema.ts', 'rules.ts'])

/** Modules without an entry point of their own name; a module of tables alone needs none. */
export function modulesWithoutEntryPoint(paths: string[]): Violation[] {
  const modules = new Set(
    paths.flatMap((path) => {
      const [, module, file] = /^src\/lib\/([^/]+)\/(.+)$/.exec(path) ?? []
      return module && file && !SILENT.has(file) ? module : []
    }),
  )
  modules.delete('core')
  return [...modules]
    .filter((module) => !paths.some((path) => isEntryPoint(path, module)))
    .map((module) => ({ path: `src/lib/${module}`, message: `has no entry point ${module}.ts` }))
}

/** The file with the name of the module, or of a submodule: `homework/submission/submission.ts`. */
function isEntryPoint(path: string, module: string): boolean {
  const inside = path.startsWith(`src/lib/${module}/`) ? path.slice(`src/lib/${module}/`.length).split('/') : []
  const [file, folder = module] = inside.reverse()
  return file === `${folder}.ts`
}

function problemOf(path: string): string | null {
  const [src, layer = '', ...inside] = path.split('/')
  if (src !== 'src') return null
  const name = inside.at(-1) ?? ''
  const bare = name.replace(/\.(d\.)?[a-z]+$/, '')
  if (NAMELESS.test(bare)) return 'is named after nothing of the product'
  if (layer === 'lib') return libProblem(inside, name, bare)
  if (layer === 'islands') return islandProblem(inside, name, bare)
  if (layer === 'layouts') return PASCAL.test(bare) || KEBAB.test(bare) ? null : 'wants PascalCase or kebab-case'
  return null
}

function libProblem(inside: string[], name: string, bare: string): string | null {
  const [module = ''] = inside
  if (inside.length === 1)
    return [
      'api.ts',
      'encrypted-columns.ts',
      'jobs.ts',
      'live.ts',
      'payments.ts',
      'plan-usage.ts',
      'student-card.ts',
      'team-assignments.ts',
    ].includes(name)
      ? null
      : 'is none of the registries'
  if (module === 'core') return KEBAB.test(bare) || !name.endsWith('.ts') ? null : 'wants a kebab-case name'
  if (!MODULES.includes(module)) return `is in ${module}, which is no module`
  if (inside.length > 4 || !inside.slice(0, -1).every((folder) => KEBAB.test(folder)))
    return 'is too deep: modules, submodules and one more level of folders with kebab-case names'
  return name.endsWith('.ts') && KEBAB.test(bare) ? null : 'is no file of a module: .ts with a kebab-case name'
}

function islandProblem(inside: string[], name: string, bare: string): string | null {
  const [module = ''] = inside
  if (inside.length < 2 || inside.length > 3) return 'islands are in the folder of their module or of a submodule'
  if (!ISLAND_FOLDERS.includes(module)) return `is in ${module}, which is no module`
  if (name.endsWith('.tsx') || name.endsWith('.astro')) return PASCAL.test(bare) ? null : 'a component wants PascalCase'
  return KEBAB.test(bare) ? null : 'wants a kebab-case name'
}
