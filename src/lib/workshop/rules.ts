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
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { atWall, localTime, wallOf } from '#lib/core/shared/zone.ts'

/** The part of an actor that decides in this room. */
export interface WorkshopPerson {
  roles: readonly Role[]
}

const CONTENT = ['OWNER', 'DIRECTOR', 'EXPERT'] as const

/** Lists and reads events as staff. */
export function canSeeWorkshops(person: WorkshopPerson): Verdict {
  if (hasRole(person, CONTENT)) return allow('manages_content')
  return hasRole(person, ['PRESENTER', 'MODERATOR']) ? allow('reads_events') : deny('no_event_role')
}

/** Makes new events. */
export function canCreateWorkshop(person: WorkshopPerson): Verdict {
  return hasRole(person, CONTENT) ? allow('manages_content') : deny('no_event_role')
}

/** Changes an event, publishes, duplicates it. `at`: what the person is at this very event. */
export function canManageWorkshop(person: WorkshopPerson, at: readonly WorkshopRole[]): Verdict {
  if (hasRole(person, CONTENT)) return allow('manages_content')
  if (!hasRole(person, ['PRESENTER'])) return deny('no_event_role')
  return at.includes('speaker') || at.includes('host') ? allow('speaks_here') : deny('not_a_speaker_here')
}

/** Keeps order in the room: deletes, mutes, bans, approves, answers in writing. */
export function canModerate(person: WorkshopPerson, at: readonly WorkshopRole[]): Verdict {
  if (hasRole(person, CONTENT)) return allow('manages_content')
  if (hasRole(person, ['PRESENTER']) && (at.includes('speaker') || at.includes('host'))) return allow('speaks_here')
  if (!hasRole(person, ['MODERATOR', 'PRESENTER'])) return deny('no_event_role')
  return at.includes('moderator') ? allow('moderates_here') : deny('not_a_moderator_here')
}

/** Reads numbers of events. */
export function canSeeStatistics(person: WorkshopPerson): Verdict {
  return hasRole(person, CONTENT) ? allow('manages_content') : deny('no_event_role')
}

/** What a member of the team is in the room: the highest of the assignments; who manages content may host. */
export function roomRoleOf(person: WorkshopPerson, at: readonly WorkshopRole[]): RoomRole {
  if (at.includes('host')) return 'host'
  if (at.includes('speaker') && canManageWorkshop(person, at).allow) return 'speaker'
  if (hasRole(person, CONTENT)) return 'host'
  return canModerate(person, at).allow ? 'moderator' : 'viewer'
}

/** Who may do what in the room: the host all, a speaker presents and moderates, a moderator keeps order. */
export const ROOM_RIGHTS = {
  start: ['host', 'speaker'],
  present: ['host', 'speaker'],
  moderate: ['host', 'speaker', 'moderator'],
  talk: ['host', 'speaker', 'moderator', 'viewer'],
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
 * The specification's status at a moment: pending once the start has passed and nobody has begun, expired when nobody did
 * within the planned time, an hour at least.
 */
export function statusOf(facts: StatusFacts, now: Date): WorkshopStatus {
  if (facts.finishedAt) return 'finished'
  if (facts.startedAt) return 'active'
  if (!facts.startAt || facts.startAt > now) return 'upcoming'
  const patience = Math.max(facts.plannedMinutes, 60) * 60_000
  return now.getTime() < facts.startAt.getTime() + patience ? 'pending' : 'expired'
}

/** How a type is written in addresses. */
export const TYPE_PATHS = { webinar: 'webinar', autoWebinar: 'auto-webinar', masterclass: 'masterclass' } as const

export const editPath = (type: WorkshopType, id: string): string => `/workshops/${TYPE_PATHS[type]}/${id}`

/** Who may be what at an event. */
export const MAY_BE: Record<WorkshopRole, readonly Role[]> = {
  host: [...CONTENT, 'PRESENTER'],
  speaker: [...CONTENT, 'PRESENTER'],
  moderator: [...CONTENT, 'PRESENTER', 'MODERATOR'],
}

/**
 * The status of any type: a masterclass is open from its beginning on, a showing of an auto-webinar runs by the clock
 * (`startAt` is that of the showing under way, else of the next one, else of the last).
 */
export function standingOf(type: WorkshopType, facts: StatusFacts, now: Date): WorkshopStatus {
  if (type === 'webinar') return statusOf(facts, now)
  const { startAt, publication } = facts
  if (type === 'masterclass') return publication === 'published' && (!startAt || startAt <= now) ? 'active' : 'upcoming'
  if (!startAt || startAt > now) return 'upcoming'
  return now.getTime() < startAt.getTime() + facts.plannedMinutes * 60_000 ? 'active' : 'finished'
}

export interface PublishFacts {
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

export const PUBLISH_CHECKS = [
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

export interface PublishCheck {
  key: (typeof PUBLISH_CHECKS)[number]
  passed: boolean
  /** Without it there is no publication; the others are advice. */
  blocks: boolean
}

/** What stands between an event and its publication, and what would do it good. */
export function publishChecks(facts: PublishFacts, now: Date): PublishCheck[] {
  const live = facts.type === 'webinar'
  const must = (key: PublishCheck['key'], passed: boolean, asked = true) =>
    asked ? [{ key, passed, blocks: true }] : []
  const may = (key: PublishCheck['key'], passed: boolean, asked = true) =>
    asked ? [{ key, passed, blocks: false }] : []
  return [
    ...must('title', facts.title.trim() !== ''),
    ...must('start', facts.startAt !== null && facts.startAt > now, live),
    ...must('host', facts.hosts > 0),
    ...must('access', facts.access !== 'paid'),
    ...may('description', facts.description.trim() !== ''),
    ...may('cover', facts.hasCover),
    ...may('slides', facts.hasSlides, facts.type !== 'masterclass'),
    ...may('materials', facts.items.button + facts.items.handout + facts.items.poll > 0),
    ...may('moderator', facts.moderators > 0, live),
    ...may('rehearsal', facts.rehearsed, live),
  ]
}

export const canPublish = (checks: readonly PublishCheck[]): boolean =>
  checks.every(({ passed, blocks }) => passed || !blocks)

/** Whether a time of the clock is one that the clocks skip there, or one that comes twice on that day. */
export function doubtOf(day: string, time: string, zone: string): 'skipped' | 'twice' | null {
  const wall = Date.parse(`${day}T${time}:00Z`)
  const at = atWall(wall, zone)
  if (localTime(at, zone) !== time) return 'skipped'
  return GAPS.some((minutes) => wallOf(new Date(at.getTime() + minutes * 60_000), zone) === wall) ? 'twice' : null
}

/** The later of the two instants at which a clock shows a time that comes twice; the only one otherwise. */
export function secondOf(day: string, time: string, zone: string): Date {
  const wall = Date.parse(`${day}T${time}:00Z`)
  const at = atWall(wall, zone)
  const later = GAPS.map((minutes) => new Date(at.getTime() + minutes * 60_000))
  return later.find((one) => wallOf(one, zone) === wall) ?? at
}

// By so much clocks are put back somewhere in the world, in minutes.
const GAPS = [30, 60, 120]
