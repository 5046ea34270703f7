/**
 * The islands by name: what was kept when one fails. `draft`: typed text, which the draft layer holds. `room`: the event
 * goes on without this page. `saved`: nothing is typed there.
 */
export const ISLANDS = {
  access: 'saved',
  captions: 'draft',
  commands: 'saved',
  description: 'draft',
  desk: 'draft',
  drafts: 'draft',
  lesson: 'draft',
  marks: 'saved',
  outline: 'saved',
  picker: 'saved',
  player: 'saved',
  presenter: 'room',
  queue: 'saved',
  replayChat: 'saved',
  replaySlides: 'saved',
  roadmap: 'draft',
  room: 'room',
  script: 'saved',
  showcase: 'saved',
  storage: 'saved',
  submission: 'draft',
  tasks: 'draft',
  thread: 'draft',
  uploads: 'saved',
} as const satisfies Record<string, 'draft' | 'room' | 'saved'>

export type IslandName = keyof typeof ISLANDS

/** Islands without room of their own on the page: their message floats over it. */
export const FLOATING_ISLANDS: ReadonlySet<IslandName> = new Set([
  'captions',
  'commands',
  'drafts',
  'picker',
  'queue',
  'uploads',
])
