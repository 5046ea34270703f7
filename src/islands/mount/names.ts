/**
 * The origin of the first markup of an island (docs/decisions/156-one-implementation-of-markup.md). `hydrated`: the
 * page renders the component on the server and hydrates it by `client:*`. `server`: the page renders the same component
 * on the server without scripts; it is mounted there on first use. `editor`: opened by a command; the page shows the
 * saved content, the island edits it. `overlay`: a dialog, tray or panel that exists only after a command; its
 * container is empty in the page.
 */
type Markup = 'hydrated' | 'server' | 'editor' | 'overlay'

/**
 * What is preserved when an island fails. `draft`: typed text is stored by the draft layer. `room`: the event continues
 * without this page. `saved`: nothing is typed there.
 */
type Persistence = 'draft' | 'room' | 'saved'

/** The islands by name. */
export const ISLANDS = {
  access: { markup: 'overlay', persistence: 'saved' },
  annotations: { markup: 'server', persistence: 'saved' },
  attemptReview: { markup: 'hydrated', persistence: 'draft' },
  captions: { markup: 'overlay', persistence: 'draft' },
  certificateTemplate: { markup: 'hydrated', persistence: 'draft' },
  commands: { markup: 'overlay', persistence: 'saved' },
  conversation: { markup: 'hydrated', persistence: 'draft' },
  conversations: { markup: 'hydrated', persistence: 'saved' },
  description: { markup: 'editor', persistence: 'draft' },
  drafts: { markup: 'overlay', persistence: 'saved' },
  lesson: { markup: 'editor', persistence: 'draft' },
  outline: { markup: 'hydrated', persistence: 'saved' },
  picker: { markup: 'overlay', persistence: 'saved' },
  player: { markup: 'server', persistence: 'saved' },
  presenter: { markup: 'hydrated', persistence: 'room' },
  question: { markup: 'hydrated', persistence: 'draft' },
  queue: { markup: 'overlay', persistence: 'saved' },
  replayChat: { markup: 'hydrated', persistence: 'saved' },
  replaySlides: { markup: 'hydrated', persistence: 'saved' },
  review: { markup: 'hydrated', persistence: 'draft' },
  roadmap: { markup: 'hydrated', persistence: 'draft' },
  room: { markup: 'hydrated', persistence: 'room' },
  script: { markup: 'hydrated', persistence: 'saved' },
  showcase: { markup: 'hydrated', persistence: 'saved' },
  storage: { markup: 'hydrated', persistence: 'saved' },
  submission: { markup: 'server', persistence: 'draft' },
  tasks: { markup: 'hydrated', persistence: 'draft' },
  thread: { markup: 'server', persistence: 'draft' },
  uploads: { markup: 'overlay', persistence: 'saved' },
} as const satisfies Record<string, { markup: Markup; persistence: Persistence }>

export type IslandName = keyof typeof ISLANDS

type NamesOf<Kind extends Markup> = {
  [Name in IslandName]: (typeof ISLANDS)[Name]['markup'] extends Kind ? Name : never
}[IslandName]

/** Islands that Astro hydrates. */
export type HydratedIslandName = NamesOf<'hydrated'>

/** Islands that a script mounts. */
export type MountedIslandName = NamesOf<'server' | 'editor' | 'overlay'>

/** Islands without space of their own on the page: their error message is shown as an overlay. */
export const FLOATING_ISLANDS: ReadonlySet<IslandName> = new Set([
  'captions',
  'commands',
  'drafts',
  'picker',
  'queue',
  'uploads',
])
