/*
 * The closed lists of values of automated webinars, shared by tables, modules and the browser. Without zod, so that
 * tables may import them.
 */

/** The tracks of a script, from the top of the timeline down. */
export const TRACKS = ['chat', 'buttons', 'slides', 'layout', 'polls', 'handouts'] as const
export type Track = (typeof TRACKS)[number]

/** The types of script entries: the log events that are sent to everybody in the room. */
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
