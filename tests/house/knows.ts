import { heightOf, type Place, placeOf } from './rooms.ts'
import { type Import, importsOf, resolveImport, type SourceFile, type Violation } from './source.ts'

const SHARED = 'src/lib/core/shared/'
const DATABASE_PACKAGES = /^(drizzle-orm|drizzle-kit|pg|pg-boss)(\/|$)/
const STORE_PACKAGES = /^(nanostores|@nanostores\/.+)$/
const SERVER_PACKAGES =
  /^(node:|drizzle|pg$|pg-boss|nodemailer|pino|ioredis|sharp|sanitize-html|@node-rs\/|@orpc\/server|astro:)/
const EXTENSION = /\.(ts|tsx|astro|css|json|svg|woff2)(\?\w+)?$/

/** The table "Who may know whom", with the habits of import paths: aliases, real extensions. */
export function strangers(file: SourceFile): Violation[] {
  return importsOf(file).flatMap((one) => {
    const target = resolveImport(file.path, one.specifier)
    const problem =
      target === null ? packageProblem(file, one) : (pathProblem(file, one, target) ?? knownProblem(file, one, target))
    return problem ? [{ path: file.path, says: `imports ${one.specifier}: ${problem}` }] : []
  })
}

/** Files that import each other in a circle at run time; each circle is reported once. */
export function circles(files: SourceFile[]): Violation[] {
  const known = new Set(files.map(({ path }) => path))
  const edges = new Map(
    files.map((file) => {
      const targets = importsOf(file).filter(({ typeOnly }) => !typeOnly)
      return [
        file.path,
        targets.flatMap(({ specifier }) => resolveImport(file.path, specifier) ?? []).filter((to) => known.has(to)),
      ]
    }),
  )
  const done = new Set<string>()
  const found: Violation[] = []
  const walk = (path: string, trail: string[]): void => {
    const back = trail.indexOf(path)
    if (back >= 0) found.push({ path, says: `stands in a circle: ${[...trail.slice(back), path].join(' → ')}` })
    if (back >= 0 || done.has(path)) return
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) walk(path, [])
  return found
}

function packageProblem(file: SourceFile, { specifier, typeOnly, inBrowser }: Import): string | null {
  const { kind } = placeOf(file.path)
  const browser = inBrowser || kind === 'island' || kind === 'ui' || kind === 'stores' || kind === 'shared'
  if (browser && !typeOnly && SERVER_PACKAGES.test(specifier)) return 'the browser has no server packages'
  if (kind === 'ui' && STORE_PACKAGES.test(specifier)) return 'pieces of islands/ui know no store'
  if ((kind === 'page' || kind === 'layout') && DATABASE_PACKAGES.test(specifier))
    return 'the database is asked in lib only'
  if ((kind === 'page' || kind === 'layout') && !inBrowser && STORE_PACKAGES.test(specifier))
    return 'a store has no server life'
  if ((kind === 'schema' || kind === 'rules') && specifier !== 'zod')
    return 'schema and rules know zod and nothing else'
  if (kind === 'table' && !specifier.startsWith('drizzle-orm')) return 'a table knows drizzle-orm and nothing else'
  return null
}

function pathProblem(file: SourceFile, { specifier }: Import, target: string): string | null {
  if (!EXTENSION.test(specifier)) return 'write the real extension'
  // drizzle-kit reads the tables by itself and knows no alias; styles have none.
  if (/[/-]table\.ts$/.test(file.path) || file.path.endsWith('.d.ts') || target.endsWith('.css')) return null
  if (specifier.startsWith('../') && file.path.startsWith('src/') && folderOf(target) !== folderOf(file.path)) {
    return 'outside the own folder use #lib, #islands or #layouts'
  }
  return null
}

/** The folder inside which relative paths are fine: a room, core, the pages, the layouts. */
function folderOf(path: string): string {
  const [src, floor, first, second] = path.split('/')
  if ((floor === 'lib' || floor === 'islands') && second) return `${src}/${floor}/${first}`
  return `${src}/${floor}`
}

function knownProblem(file: SourceFile, one: Import, target: string): string | null {
  if (target.endsWith('.css') || target.endsWith('.json') || target.endsWith('.svg')) return null
  const to = placeOf(target)
  if (one.inBrowser)
    return mayInBrowser(to, target, one) ? null : 'a script in a page sees islands, schema, rules and core/shared'
  const from = placeOf(file.path)
  if (file.path.startsWith('scripts/') || from.kind === 'core' || 'room' in from) {
    if (from.kind !== 'island' && /\.(tsx|astro)$/.test(target))
      return 'Node runs this file itself and cannot read .tsx or .astro'
  }
  return verdict(from, to, target, one)
}

function verdict(from: Place, to: Place, target: string, one: Import): string | null {
  switch (from.kind) {
    case 'page':
      return pageMay(to)
        ? null
        : 'pages know layouts, islands, front doors, schema, rules, the hallway and core without its database'
    case 'layout':
      return to.kind === 'layout' || isIsland(to) || isShared(target) || (one.typeOnly && to.kind === 'core')
        ? null
        : 'layouts know layouts, islands and core/shared'
    case 'ui':
      return to.kind === 'ui' || isShared(target) ? null : 'pieces of islands/ui know core/shared and each other'
    case 'stores':
      return to.kind !== 'island' && to.kind !== 'shared' && mayInBrowser(to, target, one)
        ? null
        : 'stores know each other, schema, rules and core/shared'
    case 'shared':
      return to.kind !== 'island' && mayInBrowser(to, target, one)
        ? null
        : 'shared pieces know islands/ui, islands/stores, schema, rules and core/shared'
    case 'island':
      return mayInBrowser(to, target, one) && !(to.kind === 'island' && to.room !== from.room)
        ? null
        : 'islands know their own folder, islands/ui, islands/stores, shared pieces, schema, rules and core/shared'
    case 'schema':
    case 'rules':
      return to.kind === 'schema' || to.kind === 'rules' || isShared(target)
        ? higher(from.room, to)
        : 'schema and rules know schema, rules and core/shared'
    case 'table':
      return to.kind === 'table' || to.kind === 'schema' || (to.kind === 'core' && to.part === 'db') || isShared(target)
        ? higher(from.room, to)
        : 'tables know tables, schema and core/db'
    case 'core':
      return to.kind === 'core' ? null : 'core knows no room'
    case 'hallway':
      return to.kind === 'hallway' ||
        to.kind === 'core' ||
        to.kind === 'api' ||
        to.kind === 'jobs' ||
        to.kind === 'live'
        ? null
        : 'the hallway is a list of api, jobs and live files'
    case 'door':
    case 'part':
    case 'api':
    case 'jobs':
    case 'live':
      return roomMay(from.room, to)
    case 'other':
      return null
  }
}

function roomMay(room: string, to: Place): string | null {
  if (to.kind === 'core') return null
  if (!('room' in to) || to.kind === 'island') return 'rooms know core and lower rooms, no hallway, island or page'
  if (to.room === room) return null
  if (to.kind === 'part' || to.kind === 'api' || to.kind === 'jobs' || to.kind === 'live') {
    return "only a neighbour's front door, schema, rules and table may be used"
  }
  return higher(room, to)
}

function higher(room: string, to: Place): string | null {
  if (!('room' in to) || to.room === room || heightOf(to.room) < heightOf(room)) return null
  return `${to.room} does not stand below ${room}`
}

function pageMay(to: Place): boolean {
  if (to.kind === 'core') return to.part !== 'db'
  return ['page', 'layout', 'ui', 'shared', 'island', 'door', 'schema', 'rules', 'hallway', 'other'].includes(to.kind)
}

function mayInBrowser(to: Place, target: string, one: Import): boolean {
  if (isIsland(to) || to.kind === 'schema' || to.kind === 'rules' || isShared(target)) return true
  // The typed client is made from the router's type, which is erased.
  return one.typeOnly && target === 'src/lib/api.ts'
}

const isIsland = (to: Place): boolean => ['island', 'ui', 'stores', 'shared'].includes(to.kind)
const isShared = (target: string): boolean => target.startsWith(SHARED)
