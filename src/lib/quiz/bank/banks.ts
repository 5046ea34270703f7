import { and, asc, count, eq, isNull } from 'drizzle-orm'
import { isUniqueViolation } from '#lib/core/db/database-error.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireQuizEditor, requireQuizReader } from '../permission.ts'
import { question, questionBank } from '../question/table.ts'
import { quizSection } from '../table.ts'
import type { BankId, SaveBank } from './schema.ts'

/** Creates a bank of questions; a second call with the same id does nothing. Refuses with unprocessable (bank_title_taken). */
export async function createBank(actor: Actor, { bankId, title }: SaveBank): Promise<{ bankId: string }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    const inserted = await tx
      .insert(questionBank)
      .values({ tenantId: actor.tenantId, id: bankId, title })
      .onConflictDoNothing()
      .returning({ id: questionBank.id })
    if (inserted.length === 0) {
      const [row] = await tx.select({ title: questionBank.title }).from(questionBank).where(eq(questionBank.id, bankId))
      if (row?.title !== title) throw titleTaken()
    }
    return { bankId }
  })
}

/** Refuses with not_found, unprocessable (bank_title_taken). */
export async function renameBank(actor: Actor, { bankId, title }: SaveBank): Promise<{ bankId: string }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    const updated = await tx
      .update(questionBank)
      .set({ title })
      .where(eq(questionBank.id, bankId))
      .returning({ id: questionBank.id })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? titleTaken() : error
      })
    if (updated.length === 0) throw new Refusal('not_found')
    return { bankId }
  })
}

/** Deletes a bank; its questions are moved to the general bank. Refuses with not_found. */
export async function deleteBank(actor: Actor, { bankId }: BankId): Promise<{ bankId: string }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    await tx.update(question).set({ bankId: null }).where(eq(question.bankId, bankId))
    await tx.update(quizSection).set({ bankId: null }).where(eq(quizSection.bankId, bankId))
    const deleted = await tx.delete(questionBank).where(eq(questionBank.id, bankId)).returning({ id: questionBank.id })
    if (deleted.length === 0) throw new Refusal('not_found')
    return { bankId }
  })
}

export interface BankView {
  id: string
  title: string
  questions: number
}

/** The banks of the tenant by title, with the number of their questions; one statement. Refuses with forbidden. */
export async function listBanks(actor: Actor): Promise<BankView[]> {
  requireQuizReader(actor)
  return inTenant(actor, (tx) =>
    tx
      .select({ id: questionBank.id, title: questionBank.title, questions: count(question.id) })
      .from(questionBank)
      .leftJoin(
        question,
        and(
          eq(question.tenantId, questionBank.tenantId),
          eq(question.bankId, questionBank.id),
          isNull(question.deletedAt),
        ),
      )
      .groupBy(questionBank.tenantId, questionBank.id)
      .orderBy(asc(questionBank.title)),
  )
}

const titleTaken = () => new Refusal('unprocessable', { fields: { title: ['bank_title_taken'] } })
