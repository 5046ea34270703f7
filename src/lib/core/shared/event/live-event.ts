/*
 * The closed lists of live events: words that tables, rooms and the browser share. No zod here, so that a table may know
 * them.
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

/** Where its pictures come from: those on stage, or a film. */
export const WORKSHOP_SOURCES = ['builtin', 'file'] as const
export type WorkshopSource = (typeof WORKSHOP_SOURCES)[number]

/** What a member of the team is at an event. The host starts and ends it. */
export const WORKSHOP_ROLES = ['host', 'speaker', 'moderator'] as const
export type WorkshopRole = (typeof WORKSHOP_ROLES)[number]

/** What somebody is in the room. */
export const ROOM_ROLES = [...WORKSHOP_ROLES, 'viewer'] as const
export type RoomRole = (typeof ROOM_ROLES)[number]

export const SESSION_KINDS = ['live', 'auto', 'rehearsal', 'onDemand'] as const
export type SessionKind = (typeof SESSION_KINDS)[number]

export const ITEM_KINDS = ['button', 'poll', 'handout'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

export const PARTICIPANT_KINDS = ['staff', 'student', 'registrant', 'guest'] as const
export type ParticipantKind = (typeof PARTICIPANT_KINDS)[number]

/** What somebody sits at in a room, as far as their browser tells. */
export const DEVICES = ['phone', 'desktop', 'tablet', 'unknown'] as const
export type Device = (typeof DEVICES)[number]

/** The specification's presentation modes: slides, slides with a small camera, camera, camera beside slides. */
export const PRESENTATION_MODES = ['presentation', 'preview', 'broadcast', 'presentationAndBroadcast'] as const
export type PresentationMode = (typeof PRESENTATION_MODES)[number]

export const CHAT_MODES = ['open', 'premod', 'questionsOnly', 'staffOnly', 'off'] as const
export type ChatMode = (typeof CHAT_MODES)[number]

/** Who may hear of an event: everybody in the room, its staff, or one person and the staff. */
export const AUDIENCES = ['all', 'staff', 'person'] as const
export type Audience = (typeof AUDIENCES)[number]

/** What the log of a session is made of; the specification's statistics count these. */
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

/** Every letter that a registrant may get: first the ladder, then what follows from what somebody did. */
export const REGISTRATION_EMAILS = [
  'confirmed',
  'day',
  'hour',
  'tenMinutes',
  'startMissed',
  'attended',
  'leftEarly',
  'missed',
  'pending',
  'waitlisted',
  'offer',
  'declined',
  'rescheduled',
  'canceled',
  'apology',
] as const
export type RegistrationEmail = (typeof REGISTRATION_EMAILS)[number]
