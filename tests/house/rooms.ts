/** Rooms from the ground up: a room may use those on lower floors, never those beside or above it. */
const ORDER = [
  ['tenant'],
  ['user'],
  ['notification', 'audit', 'payment'],
  ['billing'],
  ['team', 'student'],
  ['storage'],
  ['course', 'workshop', 'mentoring'],
  ['homework', 'quiz', 'offer', 'certificate', 'roadmap', 'autowebinar'],
  ['registration'],
  ['meeting', 'masterclass'],
  ['statistics'],
  ['chat', 'schedule'],
]

export const ROOMS = ORDER.flat()

/** The height of a room, from 0; -1 for a name that is no room. */
export const heightOf = (room: string): number => ORDER.findIndex((floor) => floor.includes(room))

export type Place =
  | { kind: 'page' | 'layout' | 'hallway' | 'ui' | 'stores' | 'shared' | 'other' }
  | { kind: 'core'; part: string }
  | { kind: 'island'; room: string }
  | { kind: 'door' | 'schema' | 'rules' | 'table' | 'api' | 'jobs' | 'live' | 'part'; room: string }

/** Browser pieces that several rooms show: the player, the choice of a file, the writing of rich text, the rule of access, live sound and picture. */
export const SHARED_PLACES: readonly string[] = ['player', 'picker', 'editor', 'rule', 'broadcast']

const FURNITURE = ['schema', 'rules', 'table', 'api', 'jobs', 'live'] as const

/** What a path is in the house. */
export function placeOf(path: string): Place {
  const [src, floor, first, second, ...deeper] = path.split('/')
  if (src !== 'src') return { kind: 'other' }
  if (floor === 'pages' || path === 'src/middleware.ts') return { kind: 'page' }
  if (floor === 'layouts') return { kind: 'layout' }
  if (!first || !second) return { kind: floor === 'lib' ? 'hallway' : 'other' }
  if (floor === 'islands')
    return first === 'ui' || first === 'stores'
      ? { kind: first }
      : SHARED_PLACES.includes(first)
        ? { kind: 'shared' }
        : { kind: 'island', room: first }
  if (floor !== 'lib') return { kind: 'other' }
  if (first === 'core') return { kind: 'core', part: second }
  const name = deeper.length > 0 ? 'part' : second.replace(/\.ts$/, '')
  if (name === first) return { kind: 'door', room: first }
  // A big room has several tables, schemas and rules, each named after what it is about: `study-table.ts`.
  const aspect = ['schema', 'rules', 'table'].find((one) => name.endsWith(`-${one}`))
  return { kind: FURNITURE.find((one) => one === (aspect ?? name)) ?? 'part', room: first }
}
