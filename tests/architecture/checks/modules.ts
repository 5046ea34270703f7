/** Modules by level: a module may use those of lower levels, never those of its own or a higher level. */
const ORDER = [
  ['tenant'],
  ['user'],
  ['audit'],
  ['notification'],
  ['payment'],
  ['billing'],
  ['outbox'],
  ['team', 'student', 'settings'],
  ['storage'],
  ['course', 'workshop', 'mentoring'],
  ['quiz'],
  ['homework', 'roadmap', 'autowebinar'],
  ['certificate'],
  ['registration'],
  ['meeting', 'masterclass', 'attendance', 'offer'],
  ['statistics'],
  ['chat', 'schedule'],
  ['inbox'],
  ['automation'],
]

export const MODULES = ORDER.flat()

/** The level of a module, from 0; -1 for an unknown name. */
export const levelOf = (module: string): number => ORDER.findIndex((level) => level.includes(module))

export type Place =
  | { kind: 'page' | 'layout' | 'registry' | 'ui' | 'stores' | 'shared' | 'other' }
  | { kind: 'core'; part: string }
  | { kind: 'island'; module: string }
  | { kind: 'domain' | 'schema' | 'rules' | 'table' | 'api' | 'jobs' | 'live'; module: string }

/** Islands that several modules use: player, file picker, rich text editor, access rule editor, live media, mounting, form fields. */
export const SHARED_ISLANDS: readonly string[] = ['player', 'picker', 'editor', 'rule', 'broadcast', 'mount', 'field']

const MODULE_FILES = ['schema', 'rules', 'table', 'api', 'jobs', 'live'] as const

/** The layer and module of a path, and its kind of file. */
export function placeOf(path: string): Place {
  const [src, layer, first, second, ...deeper] = path.split('/')
  if (src !== 'src') return { kind: 'other' }
  if (layer === 'pages' || path === 'src/middleware.ts') return { kind: 'page' }
  if (layer === 'layouts') return { kind: 'layout' }
  if (!first || !second) return { kind: layer === 'lib' ? 'registry' : 'other' }
  if (layer === 'islands')
    return first === 'ui' || first === 'stores'
      ? { kind: first }
      : SHARED_ISLANDS.includes(first)
        ? { kind: 'shared' }
        : { kind: 'island', module: first }
  if (layer !== 'lib') return { kind: 'other' }
  if (first === 'core') return { kind: 'core', part: second }
  const name = (deeper.at(-1) ?? second).replace(/\.ts$/, '')
  // A large module has several tables, schemas and rules, each named after its aspect: `event-table.ts`.
  const aspect = ['schema', 'rules', 'table'].find((suffix) => name.endsWith(`-${suffix}`))
  return { kind: MODULE_FILES.find((moduleFile) => moduleFile === (aspect ?? name)) ?? 'domain', module: first }
}
