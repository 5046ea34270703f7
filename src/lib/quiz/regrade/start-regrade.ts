import { desc, eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireQuizEditor, requireQuizReader, requireReviewer } from '../permission.ts'
import { quiz } from '../table.ts'
import { areCurrent } from './corrected-keys.ts'
import type { StartRegrade } from './schema.ts'
import { quizRegrade } from './table.ts'

/**
 * Grades the attempts at a test again by the corrected keys, in a job; the audit log records it. A second call with the
 * same id does nothing. Refuses with forbidden, plan_inactive, not_found, and with conflict when a question was edited
 * again since the preview.
 */
export async function startRegrade(actor: Actor, input: StartRegrade): Promise<{ regradeId: string }> {
  requireQuizEditor(actor)
  const { quizId, regradeId, keys } = input
  return inTenant(actor, async (tx) => {
    const [row] = await tx.select({ title: quiz.title }).from(quiz).where(eq(quiz.id, quizId))
    if (!row) throw new Refusal('not_found')
    if (!(await areCurrent(tx, keys))) throw new Refusal('conflict', { fields: { form: ['regrade_outdated'] } })
    const { tenantId, membershipId: by } = actor
    const inserted = await tx
      .insert(quizRegrade)
      .values({ tenantId, id: regradeId, quizId, keys, by })
      .onConflictDoNothing()
      .returning({ id: quizRegrade.id })
    if (inserted.length === 0) return { regradeId }
    await recordAuditEntry(tx, actor, {
      action: 'quiz.regraded',
      objectId: quizId,
      objectName: row.title,
      after: { questions: keys.length },
    })
    await enqueueJob('quiz.regrade', { tenantId, regradeId }, { singletonKey: `quiz-regrade/${regradeId}` })
    return { regradeId }
  })
}

export interface RegradeView {
  id: string
  state: 'running' | 'done'
  checked: number
  changed: number
  at: Date
  finishedAt: Date | null
}

/** The last regrading of a test; null without any. Refuses with forbidden, not_found. */
export async function getLastRegrade(actor: Actor, { quizId }: { quizId: string }): Promise<RegradeView | null> {
  requireQuizReader(actor)
  return inTenant(actor, async (tx) => {
    const [, [row]] = await Promise.all([
      requireReviewer(tx, actor, quizId),
      tx
        .select({
          id: quizRegrade.id,
          state: quizRegrade.state,
          checked: quizRegrade.checked,
          changed: quizRegrade.changed,
          at: quizRegrade.at,
          finishedAt: quizRegrade.finishedAt,
        })
        .from(quizRegrade)
        .where(eq(quizRegrade.quizId, quizId))
        .orderBy(desc(quizRegrade.at), desc(quizRegrade.id))
        .limit(1),
    ])
    return row ?? null
  })
}
