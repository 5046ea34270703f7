import type { RegistrationState, RoomRole, WorkshopAccess } from '#lib/core/shared/event/live-event.ts'

/** Who stands at the door of an event. */
export interface Comer {
  /** What a member of the team is there; null for everybody else. */
  staff: RoomRole | null
  /** Signed in as a student of the school. */
  student: boolean
  registration: RegistrationState | null
  /** Gave a name, now or on an earlier visit. */
  named: boolean
}

/** `login`: the event is for students, and who comes may be one. */
export type Entry = 'in' | 'register' | 'name' | 'login'

/** Whether somebody may come in, or what they have to do first. */
export function judgeEntry(access: WorkshopAccess, { staff, student, registration, named }: Comer): Entry {
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
export const EARLY_MS = 24 * 3_600_000
