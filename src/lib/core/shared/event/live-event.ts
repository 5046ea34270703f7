/*
 * The closed lists of values of live events, shared by tables, modules and the browser. Without zod, so that tables may
 * import them.
 */

export const WORKSHOP_TYPES = ['webinar', 'autoWebinar', 'masterclass'] as const
export type WorkshopType = (typeof WORKSHOP_TYPES)[number]

export const PUBLICATIONS = ['draft', 'published'] as const
export type Publication = (typeof PUBLICATIONS)[number]

/** Derived, never stored: see `statusOf` in workshop/rules.ts. */
export const WORKSHOP_STATUS = ['upcoming', 'active', 'finished', 'pending', 'expired'] as const
export type WorkshopStatus = (typeof WORKSHOP_STATUS)[number]

export const WORKSHOP_ACCESS = ['open', 'registration', 'students', 'paid', 'link'] as const
export type WorkshopAccess = (typeof WORKSHOP_ACCESS)[number]

/** The source of its video: the stage or a video file. */
export const WORKSHOP_SOURCES = ['builtin', 'file'] as const

/** The roles of team members at an event. The host starts and ends it. */
export const WORKSHOP_ROLES = ['host', 'speaker', 'moderator'] as const
export type WorkshopRole = (typeof WORKSHOP_ROLES)[number]

/** The roles in the room of an event. */
export const EVENT_ROLES = [...WORKSHOP_ROLES, 'viewer'] as const

/** The roles in a room: those of an event, and the student of a session with a mentor, who publishes too. */
export const ROOM_ROLES = [...EVENT_ROLES, 'student'] as const
export type RoomRole = (typeof ROOM_ROLES)[number]

export const SESSION_KINDS = ['live', 'auto', 'rehearsal', 'onDemand'] as const
export type SessionKind = (typeof SESSION_KINDS)[number]

export const ITEM_KINDS = ['button', 'poll', 'handout'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

export const PARTICIPANT_KINDS = ['staff', 'student', 'registrant', 'guest'] as const
export type ParticipantKind = (typeof PARTICIPANT_KINDS)[number]

/** The device of a participant, by the User-Agent. */
export const DEVICES = ['phone', 'desktop', 'tablet', 'unknown'] as const
export type Device = (typeof DEVICES)[number]

/** The specification's presentation modes: slides, slides with a small camera, camera, camera next to slides. */
export const PRESENTATION_MODES = ['presentation', 'preview', 'broadcast', 'presentationAndBroadcast'] as const
export type PresentationMode = (typeof PRESENTATION_MODES)[number]

export const CHAT_MODES = ['open', 'premod', 'questionsOnly', 'staffOnly', 'off'] as const

/** The recipients of an event: everybody in the room, the staff, or one participant and the staff. */
export const AUDIENCES = ['all', 'staff', 'person'] as const

/** The types of entries of an event log; the specification's statistics count them. */
export const EVENT_TYPES = [
  'webinar.start',
  'webinar.finish',
  'presentation.change',
  'broadcast.change',
  'slide.change',
  'button.show',
  'button.hide',
  'handout.show',
  'handout.hide',
  'poll.open',
  'poll.close',
  'poll.vote',
  'message',
  'messageShown',
  'messageDeleted',
  'messagePinned',
  'question',
  'question.now',
  'answer',
  'reaction',
  'caption',
  'chat.change',
  'user.connect',
  'user.leave',
  'user.click',
  'user.sawButton',
  'user.muted',
  'user.isolated',
  'user.banned',
  'window.change',
  'hand.raise',
  'stage.invite',
  'stage.change',
  'encoder.key',
  'host.lost',
  'host.back',
  'recording.change',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const REGISTRATION_STATES = ['pending', 'confirmed', 'waitlisted', 'declined', 'canceled'] as const
export type RegistrationState = (typeof REGISTRATION_STATES)[number]

/** Emails of the reminder schedule of a registration, in the order in which they are sent. */
export const EMAIL_KINDS = [
  'confirmed',
  'day',
  'hour',
  'tenMinutes',
  'startMissed',
  'attended',
  'leftEarly',
  'missed',
] as const
export type EmailKind = (typeof EMAIL_KINDS)[number]

/** All emails to a registrant: first the reminder schedule, then those caused by an action. */
export const REGISTRATION_EMAILS = [
  ...EMAIL_KINDS,
  'pending',
  'waitlisted',
  'offer',
  'declined',
  'rescheduled',
  'canceled',
  'apology',
] as const
export type RegistrationEmail = (typeof REGISTRATION_EMAILS)[number]
