import type { Publication, RoomRole, WorkshopRole, WorkshopStatus } from '#lib/core/shared/live-event.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

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
