import type {
  ItemKind,
  Publication,
  RoomRole,
  WorkshopAccess,
  WorkshopRole,
  WorkshopStatus,
  WorkshopType,
} from '#lib/core/shared/event/live-event.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** Facts about an actor that decide in this module. */
export interface WorkshopActor {
  roles: readonly Role[]
}

const CONTENT_ROLES = ['OWNER', 'DIRECTOR', 'EXPERT'] as const

/** Whether the actor may list and read events as staff. */
export function canSeeWorkshops(actor: WorkshopActor): Verdict {
  if (hasRole(actor, CONTENT_ROLES)) return allow('manages_content')
  return hasRole(actor, ['PRESENTER', 'MODERATOR']) ? allow('reads_events') : deny('no_event_role')
}

/** Whether the actor may create events. */
export function canCreateWorkshop(actor: WorkshopActor): Verdict {
  return hasRole(actor, CONTENT_ROLES) ? allow('manages_content') : deny('no_event_role')
}

/** Whether the actor may change, publish and duplicate an event. `eventRoles`: their roles at this event. */
export function canManageWorkshop(actor: WorkshopActor, eventRoles: readonly WorkshopRole[]): Verdict {
  if (hasRole(actor, CONTENT_ROLES)) return allow('manages_content')
  if (!hasRole(actor, ['PRESENTER'])) return deny('no_event_role')
  return eventRoles.includes('speaker') || eventRoles.includes('host')
    ? allow('speaks_here')
    : deny('not_a_speaker_here')
}

/** Whether the actor may moderate the room: delete, mute, ban, approve, answer in writing. */
export function canModerate(actor: WorkshopActor, eventRoles: readonly WorkshopRole[]): Verdict {
  if (hasRole(actor, CONTENT_ROLES)) return allow('manages_content')
  if (hasRole(actor, ['PRESENTER']) && (eventRoles.includes('speaker') || eventRoles.includes('host')))
    return allow('speaks_here')
  if (!hasRole(actor, ['MODERATOR', 'PRESENTER'])) return deny('no_event_role')
  return eventRoles.includes('moderator') ? allow('moderates_here') : deny('not_a_moderator_here')
}

/** Whether the actor may read statistics of events. */
export function canSeeStatistics(actor: WorkshopActor): Verdict {
  return hasRole(actor, CONTENT_ROLES) ? allow('manages_content') : deny('no_event_role')
}

/** Room role of a team member: the highest of the assignments; content managers may host. */
export function roomRoleOf(actor: WorkshopActor, eventRoles: readonly WorkshopRole[]): RoomRole {
  if (eventRoles.includes('host')) return 'host'
  if (eventRoles.includes('speaker') && canManageWorkshop(actor, eventRoles).allow) return 'speaker'
  if (hasRole(actor, CONTENT_ROLES)) return 'host'
  return canModerate(actor, eventRoles).allow ? 'moderator' : 'viewer'
}

/** Rights by room role. */
export const ROOM_RIGHTS = {
  start: ['host', 'speaker'],
  /** Slides, presentation mode, encoders. */
  present: ['host', 'speaker'],
  /** Own camera, microphone and screen. */
  publish: ['host', 'speaker', 'student'],
  moderate: ['host', 'speaker', 'moderator'],
  talk: ['host', 'speaker', 'moderator', 'viewer', 'student'],
} as const satisfies Record<string, readonly RoomRole[]>
export type RoomRight = keyof typeof ROOM_RIGHTS

export function hasRight(role: RoomRole, right: RoomRight): boolean {
  return (ROOM_RIGHTS[right] as readonly RoomRole[]).includes(role)
}

export interface StatusFacts {
  publication: Publication
  startAt: Date | null
  plannedMinutes: number
  startedAt: Date | null
  finishedAt: Date | null
}

/**
 * Status by the specification: pending once the start has passed without a start by the host, expired after the planned
 * time, an hour at least.
 */
export function sessionStatusOf(facts: StatusFacts, now: Date): WorkshopStatus {
  if (facts.finishedAt) return 'finished'
  if (facts.startedAt) return 'active'
  if (!facts.startAt || facts.startAt > now) return 'upcoming'
  const overdueMs = Math.max(facts.plannedMinutes, 60) * MINUTE_MS
  return now.getTime() < facts.startAt.getTime() + overdueMs ? 'pending' : 'expired'
}

/** URL segment of each type. */
export const TYPE_PATHS = { webinar: 'webinar', autoWebinar: 'auto-webinar', masterclass: 'masterclass' } as const

export const editPath = (type: WorkshopType, id: string): string => `/workshops/${TYPE_PATHS[type]}/${id}`

/** Member roles that can be assigned to each event role. */
export const ASSIGNABLE_ROLES: Record<WorkshopRole, readonly Role[]> = {
  host: [...CONTENT_ROLES, 'PRESENTER'],
  speaker: [...CONTENT_ROLES, 'PRESENTER'],
  moderator: [...CONTENT_ROLES, 'PRESENTER', 'MODERATOR'],
}

/**
 * Status of an event of any type: a masterclass is active from its start on, an auto-webinar session runs by the clock
 * (`startAt` is that of the running session, else of the next, else of the last one).
 */
export function eventStatusOf(type: WorkshopType, facts: StatusFacts, now: Date): WorkshopStatus {
  if (type === 'webinar') return sessionStatusOf(facts, now)
  const { startAt, publication } = facts
  if (type === 'masterclass') return publication === 'published' && (!startAt || startAt <= now) ? 'active' : 'upcoming'
  if (!startAt || startAt > now) return 'upcoming'
  return now.getTime() < startAt.getTime() + facts.plannedMinutes * MINUTE_MS ? 'active' : 'finished'
}

export interface EventPublishFacts {
  type: WorkshopType
  title: string
  description: string
  startAt: Date | null
  access: WorkshopAccess
  hasCover: boolean
  hasSlides: boolean
  hosts: number
  moderators: number
  items: Record<ItemKind, number>
  rehearsed: boolean
}

const PUBLISH_CHECKS = [
  'title',
  'start',
  'host',
  'access',
  'description',
  'cover',
  'slides',
  'materials',
  'moderator',
  'rehearsal',
] as const

export interface EventPublishCheck {
  key: (typeof PUBLISH_CHECKS)[number]
  passed: boolean
  /** Blocks the publication; the other checks are recommendations. */
  isBlocking: boolean
}

/** Checks before the publication: blocking ones and recommendations. */
export function eventPublishChecks(facts: EventPublishFacts, now: Date): EventPublishCheck[] {
  const live = facts.type === 'webinar'
  const blocker = (key: EventPublishCheck['key'], passed: boolean, applies = true) =>
    applies ? [{ key, passed, isBlocking: true }] : []
  const advice = (key: EventPublishCheck['key'], passed: boolean, applies = true) =>
    applies ? [{ key, passed, isBlocking: false }] : []
  return [
    ...blocker('title', facts.title.trim() !== ''),
    ...blocker('start', facts.startAt !== null && facts.startAt > now, live),
    ...blocker('host', facts.hosts > 0),
    ...blocker('access', facts.access !== 'paid'),
    ...advice('description', facts.description.trim() !== ''),
    ...advice('cover', facts.hasCover),
    ...advice('slides', facts.hasSlides, facts.type !== 'masterclass'),
    ...advice('materials', facts.items.button + facts.items.handout + facts.items.poll > 0),
    ...advice('moderator', facts.moderators > 0, live),
    ...advice('rehearsal', facts.rehearsed, live),
  ]
}

export const canPublishEvent = (checks: readonly EventPublishCheck[]): boolean =>
  checks.every(({ passed, isBlocking: blocks }) => passed || !blocks)
