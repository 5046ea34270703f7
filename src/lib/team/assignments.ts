import type { Tx } from '#lib/core/db/db.ts'
import type { Role } from '#lib/core/shared/role.ts'

/** A member who receives courses, events, homework or mentoring programs. */
export interface Assignee {
  tenantId: string
  memberId: string
  roles: readonly Role[]
}

export interface AssignmentModule {
  /**
   * Assigns the member to these objects and returns their titles. Refuses with not_found, unprocessable (staff_unknown)
   * without a suitable role.
   */
  assign(tx: Tx, assignee: Assignee, ids: readonly string[]): Promise<string[]>
  /** The number of objects of the member that need an heir. */
  count(tx: Tx, memberId: string): Promise<number>
  /**
   * Reassigns all objects of the member to the heir, or to nobody with null when no heir is needed. Refuses with
   * unprocessable (heir_unsuitable) when the heir lacks the role.
   */
  handOver(tx: Tx, memberId: string, heir: Assignee | null): Promise<void>
}

/** The assignments of modules above the team. The registry `lib/team-assignments.ts` lists them. */
export interface TeamAssignments {
  courses: AssignmentModule
  events: AssignmentModule
  homework: Omit<AssignmentModule, 'assign'>
  mentoring: Omit<AssignmentModule, 'assign'>
}
