import type { EventType } from '#lib/core/shared/event/live-event.ts'

/** Events for statistics only: they are in the log but are not published to the room. */
export const UNPUBLISHED_TYPES: ReadonlySet<EventType> = new Set<EventType>([
  'poll.vote',
  'user.connect',
  'user.leave',
  'user.click',
  'user.sawButton',
  'window.change',
])

/** Live channels of a room: for everybody, for staff, and for one participant. */
export const roomChannel = (sessionId: string): string => `meeting:${sessionId}`
export const staffChannel = (sessionId: string): string => `meeting-staff:${sessionId}`
export const personChannel = (personId: string): string => `meeting-person:${personId}`
