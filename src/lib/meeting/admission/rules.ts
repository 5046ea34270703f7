import type { RegistrationState, RoomRole, WorkshopAccess } from '#lib/core/shared/event/live-event.ts'

/** Who stands at the door of an event. */
export interface EntryCandidate {
  /** What a member of the team is there; null for everybody else. */
  staff: RoomRole | null
  /** Signed in as a student of the school. */
  isStudent: boolean
  registration: RegistrationState | null
  /** Gave a name, now or on an earlier visit. */
  hasName: boolean
}

/** `login`: the event is for students, and who comes may be one. */
export type EntryDecision = 'in' | 'register' | 'name' | 'login'

/** Whether somebody may come in, or what they have to do first. */
export function decideEntry(
  access: WorkshopAccess,
  { staff, isStudent: student, registration, hasName: named }: EntryCandidate,
): EntryDecision {
  if (staff || registration === 'confirmed') return 'in'
  switch (access) {
    case 'open':
    case 'link':
      return student || named ? 'in' : 'name'
    case 'students':
      return student ? 'in' : 'login'
    case 'registration':
    case 'paid':
      return 'register'
  }
}

/** Staff come in so long before the start, everybody else waits. */
export const STAFF_ENTRY_MS = 24 * 3_600_000
