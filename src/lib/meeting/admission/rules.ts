import type { RegistrationState, RoomRole, WorkshopAccess } from '#lib/core/shared/event/live-event.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'

/** The facts about a visitor that decide about the entry. */
export interface EntryCandidate {
  /** Room role of a team member; null for others. */
  staff: RoomRole | null
  /** Signed in as a student of the tenant. */
  isStudent: boolean
  registration: RegistrationState | null
  /** Has given a name, now or on an earlier visit. */
  hasName: boolean
}

/** `login`: the event is for students, and the visitor may be one. */
export type EntryDecision = 'in' | 'register' | 'name' | 'login'

/** Whether a visitor may enter, or the step that comes first. */
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

/** Staff may enter this long before the start. */
export const STAFF_ENTRY_MS = DAY_MS
