/**
 * The islands by name, with what is preserved when one fails. `draft`: typed text is stored by the draft layer. `room`: the
 * event continues without this page. `saved`: nothing is typed there.
 */
export const ISLANDS = {
  access: 'saved',
  captions: 'draft',
  commands: 'saved',
  description: 'draft',
  review: 'draft',
  drafts: 'draft',
  lesson: 'draft',
  annotations: 'saved',
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

/** Islands without space of their own on the page: their message is shown over it. */
export const FLOATING_ISLANDS: ReadonlySet<IslandName> = new Set([
  'captions',
  'commands',
  'drafts',
  'picker',
  'queue',
  'uploads',
])
