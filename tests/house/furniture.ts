import { ROOMS, SHARED_PLACES } from './rooms.ts'
import type { SourceFile, Violation } from './source.ts'

const LONGEST = 300
const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const PASCAL = /^[A-Z][A-Za-z0-9]*$/
const NAMELESS = /(^|-)(utils?|helpers?|common|types?|constants?|managers?|services?|misc)$|-\d+$/i
const BROWSER_PLACES = [
  ...ROOMS,
  ...SHARED_PLACES,
  'ui',
  'stores',
  'upload',
  'dashboard',
  'landing',
  'identity',
  'shell',
]

/** No file of the product is longer than 300 lines. */
export function tooLong({ path, source }: SourceFile): Violation[] {
  const lines = source.trimEnd().split('\n').length
  return lines > LONGEST ? [{ path, says: `has ${lines} lines, ${LONGEST} at most: split it by aspect` }] : []
}

/** Where a file may stand and what it may be called: the closed list of a room's furniture and named parts. */
export function misplaced({ path }: SourceFile): Violation[] {
  const says = problemOf(path)
  return says ? [{ path, says }] : []
}

const SILENT = new Set(['table.ts', 'schema.ts', 'rules.ts'])

/** Rooms that do something without a front door of their own name; a room of tables alone does nothing yet. */
export function doorless(paths: string[]): Violation[] {
  const rooms = new Set(
    paths.flatMap((path) => {
      const [, room, file] = /^src\/lib\/([^/]+)\/(.+)$/.exec(path) ?? []
      return room && file && !SILENT.has(file) ? room : []
    }),
  )
  rooms.delete('core')
  return [...rooms]
    .filter((room) => !paths.includes(`src/lib/${room}/${room}.ts`))
    .map((room) => ({ path: `src/lib/${room}`, says: `has no front door ${room}.ts` }))
}

function problemOf(path: string): string | null {
  const [src, floor = '', ...inside] = path.split('/')
  if (src !== 'src') return null
  const name = inside.at(-1) ?? ''
  const bare = name.replace(/\.(d\.)?[a-z]+$/, '')
  if (NAMELESS.test(bare)) return 'is named after no thing of the product'
  if (floor === 'lib') return libProblem(inside, name, bare)
  if (floor === 'islands') return islandProblem(inside, name, bare)
  if (floor === 'layouts') return PASCAL.test(bare) || KEBAB.test(bare) ? null : 'wants PascalCase or kebab-case'
  return null
}

function libProblem(inside: string[], name: string, bare: string): string | null {
  const [room = ''] = inside
  if (inside.length === 1)
    return ['api.ts', 'jobs.ts', 'live.ts'].includes(name) ? null : 'does not belong in the hallway'
  if (room === 'core') return KEBAB.test(bare) || !name.endsWith('.ts') ? null : 'wants a kebab-case name'
  if (!ROOMS.includes(room)) return `stands in ${room}, which is no room`
  if (inside.length > 2) return 'a room has no inner folders'
  return name.endsWith('.ts') && KEBAB.test(bare) ? null : 'is no furniture of a room: .ts files with kebab-case names'
}

function islandProblem(inside: string[], name: string, bare: string): string | null {
  const [room = ''] = inside
  if (inside.length !== 2) return 'islands stand directly in the folder of their room'
  if (!BROWSER_PLACES.includes(room)) return `stands in ${room}, which is no room`
  if (name.endsWith('.tsx') || name.endsWith('.astro')) return PASCAL.test(bare) ? null : 'a component wants PascalCase'
  return KEBAB.test(bare) ? null : 'wants a kebab-case name'
}
