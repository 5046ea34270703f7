/*
 * The closed lists of auto-webinars: words that tables, rooms and the browser share. No zod here, so that a table may know
 * them.
 */

/** The tracks of a script, from the top of the time-line down. */
export const TRACKS = ['chat', 'buttons', 'slides', 'layout', 'polls', 'handouts'] as const
export type Track = (typeof TRACKS)[number]

/** What may stand in a script: the events of a log that everybody in the room hears of. */
export const SCRIPT_ENTRY_TYPES = [
  'message',
  'question',
  'question.now',
  'answer',
  'messagePinned',
  'button.show',
  'button.hide',
  'slide.change',
  'presentation.change',
  'poll.open',
  'poll.close',
  'handout.show',
  'handout.hide',
] as const
export type ScriptEntryType = (typeof SCRIPT_ENTRY_TYPES)[number]
