import type { Tx } from '#lib/core/db/db.ts'
import type { Role } from '#lib/core/shared/role.ts'

/** A member who receives courses, events or homework. */
export interface Assignee {
  tenantId: string
  memberId: string
  roles: readonly Role[]
}

export interface AssignmentModule {
  /** Assigns the member to these objects. Refuses with not_found, unprocessable (staff_unknown) without a suitable role. */
  assign(tx: Tx, assignee: Assignee, ids: readonly string[]): Promise<void>
  /** How much the member has that needs an heir. */
  count(tx: Tx, memberId: string): Promise<number>
  /**
   * Passes on everything that the member has; to nobody with null, when nothing needs an heir. Refuses with
   * unprocessable (heir_unsuitable) when the heir lacks the role.
   */
  handOver(tx: Tx, memberId: string, heir: Assignee | null): Promise<void>
}

/** What modules above the team assign to its members. The registry `lib/team-assignments.ts` lists them. */
export interface TeamAssignments {
  courses: AssignmentModule
  events: AssignmentModule
  homework: Omit<AssignmentModule, 'assign'>
}
