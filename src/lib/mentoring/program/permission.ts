import { and, eq } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { canManageProgram, canSeePrograms } from './rules.ts'
import { mentorProgram, programMentor } from './table.ts'

export type ProgramRow = typeof mentorProgram.$inferSelect

/** Refuses with forbidden unless the verdict allows. */
export function requireMentoringAllowed({ allow, reason }: Verdict): void {
  if (!allow) throw new Refusal('forbidden', { data: { reason } })
}

/** Refuses with forbidden unless the actor may see the programs of the school. */
export const requireProgramReader = (actor: Actor): void => requireMentoringAllowed(canSeePrograms(actor))

/** Whether a member is a mentor of a program. */
export async function isMentorOf(tx: Tx, programId: string, memberId: string): Promise<boolean> {
  const rows = await tx
    .select({ memberId: programMentor.memberId })
    .from(programMentor)
    .where(and(eq(programMentor.programId, programId), eq(programMentor.memberId, memberId)))
  return rows.length > 0
}

/**
 * The row of a program that the actor may change, locked until the transaction ends. Refuses with forbidden,
 * plan_inactive, not_found.
 */
export async function lockManagedProgram(tx: Tx, actor: Actor, programId: string): Promise<ProgramRow> {
  requireProgramReader(actor)
  requirePlan(actor, 'lms')
  const [[row], isAssigned] = await Promise.all([
    tx.select().from(mentorProgram).where(eq(mentorProgram.id, programId)).for('update'),
    isMentorOf(tx, programId, actor.membershipId),
  ])
  if (!row) throw new Refusal('not_found')
  requireMentoringAllowed(canManageProgram(actor, isAssigned))
  return row
}
