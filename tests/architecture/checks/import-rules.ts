import { levelOf, type Place, placeOf } from './modules.ts'
import { type Import, importsOf, resolveImport, type SourceFile, type Violation } from './source.ts'

const SHARED = 'src/lib/core/shared/'
const DATABASE_PACKAGES = /^(drizzle-orm|drizzle-kit|pg|pg-boss)(\/|$)/
const STORE_PACKAGES = /^(nanostores|@nanostores\/.+)$/
const SERVER_PACKAGES =
  /^(node:|drizzle|pg$|pg-boss|nodemailer|pino|ioredis|sharp|sanitize-html|@node-rs\/|@orpc\/server|astro:)/
const EXTENSION = /\.(ts|tsx|astro|css|json|svg|woff2)(\?\w+)?$/

/** The import rules of ARCHITECTURE.md, with the conventions of import paths: aliases, real extensions. */
export function forbiddenImports(file: SourceFile): Violation[] {
  return importsOf(file).flatMap((imported) => {
    const target = resolveImport(file.path, imported.specifier)
    const problem =
      target === null
        ? packageProblem(file, imported)
        : (pathProblem(file, imported, target) ?? knownProblem(file, imported, target))
    return problem ? [{ path: file.path, message: `imports ${imported.specifier}: ${problem}` }] : []
  })
}

/** Names that a file exports although another one defines them: an importer then loads more than it needs. */
export function reExports(file: SourceFile): Violation[] {
  return [...file.source.matchAll(/^export (?:type )?(?:\*|\{[^}]*\})[^'"\n]* from ['"]([.#][^'"$]+)['"]/gm)].map(
    ([, specifier]) => ({ path: file.path, message: `exports again what ${specifier} defines` }),
  )
}

/** Files that import each other in a cycle, including type imports; each cycle is reported once. */
export function importCycles(files: SourceFile[]): Violation[] {
  const known = new Set(files.map(({ path }) => path))
  const edges = new Map(
    files.map((file) => {
      return [
        file.path,
        importsOf(file)
          .flatMap(({ specifier }) => resolveImport(file.path, specifier) ?? [])
          .filter((to) => known.has(to)),
      ]
    }),
  )
  const done = new Set<string>()
  const found: Violation[] = []
  const walk = (path: string, trail: string[]): void => {
    const back = trail.indexOf(path)
    if (back >= 0) found.push({ path, message: `is in an import cycle: ${[...trail.slice(back), path].join(' → ')}` })
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
  if (kind === 'ui' && STORE_PACKAGES.test(specifier)) return 'islands/ui imports no store'
  if ((kind === 'page' || kind === 'layout') && DATABASE_PACKAGES.test(specifier))
    return 'the database is used in lib only'
  if ((kind === 'page' || kind === 'layout') && !inBrowser && STORE_PACKAGES.test(specifier))
    return 'a store is not used on the server'
  if ((kind === 'schema' || kind === 'rules') && specifier !== 'zod')
    return 'schema and rules import zod and nothing else'
  if (kind === 'table' && !specifier.startsWith('drizzle-orm')) return 'a table imports drizzle-orm and nothing else'
  return null
}

function pathProblem(file: SourceFile, { specifier }: Import, target: string): string | null {
  if (!EXTENSION.test(specifier)) return 'write the real extension'
  // drizzle-kit reads the tables without aliases; styles have none.
  if (/[/-]table\.ts$/.test(file.path) || file.path.endsWith('.d.ts') || target.endsWith('.css')) return null
  if (specifier.startsWith('../') && file.path.startsWith('src/') && folderOf(target) !== folderOf(file.path)) {
    return 'outside of the module use #lib, #islands or #layouts'
  }
  return null
}

/** The folder inside which imports have relative paths: a module, core, the pages, the layouts. */
function folderOf(path: string): string {
  const [src, layer, first, second] = path.split('/')
  if ((layer === 'lib' || layer === 'islands') && second) return `${src}/${layer}/${first}`
  return `${src}/${layer}`
}

function knownProblem(file: SourceFile, imported: Import, target: string): string | null {
  if (target.endsWith('.css') || target.endsWith('.json') || target.endsWith('.svg')) return null
  const to = placeOf(target)
  if (imported.inBrowser)
    return mayBrowserImport(to, target, imported)
      ? null
      : 'a script in a page imports islands, schema, rules and core/shared'
  const from = placeOf(file.path)
  if (file.path.startsWith('scripts/') || from.kind === 'core' || 'module' in from) {
    if (from.kind !== 'island' && /\.(tsx|astro)$/.test(target))
      return 'Node runs this file itself and cannot read .tsx or .astro'
  }
  return verdict(from, to, target, imported)
}

function verdict(from: Place, to: Place, target: string, imported: Import): string | null {
  switch (from.kind) {
    case 'page':
      return mayPageImport(to)
        ? null
        : 'pages import layouts, islands, domain functions, schema, rules, registries and core without its database'
    case 'layout':
      return to.kind === 'layout' || isIsland(to) || isShared(target) || (imported.typeOnly && to.kind === 'core')
        ? null
        : 'layouts import layouts, islands and core/shared'
    case 'ui':
      return to.kind === 'ui' || isShared(target) ? null : 'islands/ui imports core/shared and islands/ui'
    case 'stores':
      return to.kind !== 'island' && to.kind !== 'shared' && mayBrowserImport(to, target, imported)
        ? null
        : 'stores import stores, schema, rules and core/shared'
    case 'shared':
      return to.kind !== 'island' && mayBrowserImport(to, target, imported)
        ? null
        : 'shared islands import islands/ui, islands/stores, schema, rules and core/shared'
    case 'island':
      return mayBrowserImport(to, target, imported) && !(to.kind === 'island' && to.module !== from.module)
        ? null
        : 'islands import their own module, islands/ui, islands/stores, shared islands, schema, rules and core/shared'
    case 'schema':
    case 'rules':
      return to.kind === 'schema' || to.kind === 'rules' || isShared(target)
        ? levelProblem(from.module, to)
        : 'schema and rules import schema, rules and core/shared'
    case 'table':
      return to.kind === 'table' || to.kind === 'schema' || (to.kind === 'core' && to.part === 'db') || isShared(target)
        ? levelProblem(from.module, to)
        : 'tables import tables, schema and core/db'
    case 'core':
      return to.kind === 'core' ? null : 'core imports no module'
    case 'registry':
      return to.kind === 'registry' ||
        to.kind === 'core' ||
        to.kind === 'domain' ||
        to.kind === 'api' ||
        to.kind === 'jobs' ||
        to.kind === 'live'
        ? null
        : 'a registry is a list of procedures, jobs and channels, and what a module above adds to one below'
    case 'domain':
    case 'api':
    case 'jobs':
    case 'live':
      return moduleProblem(from.module, to)
    case 'other':
      return null
  }
}

function moduleProblem(module: string, to: Place): string | null {
  if (to.kind === 'core') return null
  if (!('module' in to) || to.kind === 'island')
    return 'modules import core and lower modules, no registry, island or page'
  if (to.module === module) return null
  if (to.kind === 'api' || to.kind === 'jobs' || to.kind === 'live') {
    return 'the procedures, jobs and channels of another module may not be imported'
  }
  return levelProblem(module, to)
}

function levelProblem(module: string, to: Place): string | null {
  if (!('module' in to) || to.module === module || levelOf(to.module) < levelOf(module)) return null
  return `${to.module} is not below ${module}`
}

function mayPageImport(to: Place): boolean {
  if (to.kind === 'core') return to.part !== 'db'
  return ['page', 'layout', 'ui', 'shared', 'island', 'domain', 'schema', 'rules', 'registry', 'other'].includes(
    to.kind,
  )
}

function mayBrowserImport(to: Place, target: string, imported: Import): boolean {
  if (isIsland(to) || to.kind === 'schema' || to.kind === 'rules' || isShared(target)) return true
  // The type of the router, from which the typed client is derived, is erased.
  return imported.typeOnly && target === 'src/lib/api.ts'
}

const isIsland = (to: Place): boolean => ['island', 'ui', 'stores', 'shared'].includes(to.kind)
const isShared = (target: string): boolean => target.startsWith(SHARED)
