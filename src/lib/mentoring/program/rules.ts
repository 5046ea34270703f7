import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import type { PROGRAM_ACTIONS, ProgramSettings, ProgramStatus } from './schema.ts'

interface Person {
  roles: readonly Role[]
}

const CONTENT = ['OWNER', 'DIRECTOR', 'EXPERT'] as const
/** The roles of a person who can be the mentor of a program. */
export const MENTOR_ROLES = [...CONTENT, 'MENTOR'] as const

/** May see all programs of the school. */
export function canSeePrograms(person: Person): Verdict {
  return hasRole(person, MENTOR_ROLES) ? allow('sees_programs') : deny('no_mentoring_role')
}

/** May create programs, and archive and restore them. */
export function canCreateProgram(person: Person): Verdict {
  return hasRole(person, CONTENT) ? allow('manages_content') : deny('no_content_role')
}

/** May change a program, its students and sessions: managers of content, and mentors of the program. */
export function canManageProgram(person: Person, isAssigned: boolean): Verdict {
  if (hasRole(person, CONTENT)) return allow('manages_content')
  if (!hasRole(person, ['MENTOR'])) return deny('no_mentoring_role')
  return isAssigned ? allow('assigned') : deny('not_assigned')
}

export type ProgramAction = (typeof PROGRAM_ACTIONS)[number]

const TRANSITIONS: Record<ProgramStatus, Partial<Record<ProgramAction, ProgramStatus>>> = {
  draft: { publish: 'published', archive: 'archived' },
  published: { unpublish: 'draft', archive: 'archived' },
  archived: { restore: 'draft' },
}

/** The status after an action, or null when it is not allowed in this status. */
export const nextProgramStatus = (status: ProgramStatus, action: ProgramAction): ProgramStatus | null =>
  TRANSITIONS[status][action] ?? null

/** What a program needs before students can book. */
export const PROGRAM_CHECKS = ['mentors', 'hours', 'place', 'description'] as const
export type ProgramCheck = (typeof PROGRAM_CHECKS)[number]

/**
 * The checks of the publish checklist that fail. A description is recommended only.
 * @param mentorsWithHours how many of the mentors have set weekly hours
 */
export function listProgramGaps(
  { mentorIds, place, placeText, description }: ProgramSettings,
  mentorsWithHours: number,
): { check: ProgramCheck; isRequired: boolean }[] {
  return [
    ...(mentorIds.length === 0 ? [{ check: 'mentors' as const, isRequired: true }] : []),
    ...(mentorIds.length > 0 && mentorsWithHours === 0 ? [{ check: 'hours' as const, isRequired: true }] : []),
    // A student's phone number is on the student card; a link or an address has to be stated.
    ...(place !== 'phone' && place !== 'room' && placeText === ''
      ? [{ check: 'place' as const, isRequired: true }]
      : []),
    ...(description === '' ? [{ check: 'description' as const, isRequired: false }] : []),
  ]
}
