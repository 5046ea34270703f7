import type { EventType } from '#lib/core/shared/event/live-event.ts'

/** Events that are for the numbers alone: they stand in the log, and nobody in the room is told of each. */
export const UNPUBLISHED_TYPES: ReadonlySet<EventType> = new Set<EventType>([
  'poll.vote',
  'user.connect',
  'user.leave',
  'user.click',
  'user.sawButton',
  'window.change',
])

/** What everybody in a room hears; its staff besides; and one person. */
export const roomChannel = (sessionId: string): string => `meeting:${sessionId}`
export const staffChannel = (sessionId: string): string => `meeting-staff:${sessionId}`
export const personChannel = (personId: string): string => `meeting-person:${personId}`
