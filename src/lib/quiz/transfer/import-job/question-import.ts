import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { type Actor, toRequestingActor } from '#lib/core/shared/actor.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { requireBank } from '../../bank/bank.ts'
import { requireQuizEditor, requireQuizReader } from '../../permission.ts'
import type { ImportQuestions, QuestionImportId, QuestionImportView } from '../schema.ts'
import { questionImport } from './table.ts'

const QUESTION_IMPORT_JOB = 'quiz.importQuestions'
/** Number of imports in the list. */
const MAX_LISTED = 5

/**
 * Starts the import of a stored file into a bank (null: the general one), as a job. While the same file is being imported
 * into the same bank, a second call returns the id of the first. Refuses with forbidden, plan_inactive, not_found (file,
 * bank).
 */
export async function startQuestionImport(
  actor: Actor,
  { fileId, bankId }: ImportQuestions,
): Promise<{ importId: string }> {
  requireQuizEditor(actor)
  const { name } = await findFile(actor, fileId)
  return inTenant(actor, async (tx) => {
    await requireBank(tx, bankId)
    await lockUntilCommit(tx, 'questions', fileId)
    const [running] = await tx
      .select({ importId: questionImport.id })
      .from(questionImport)
      .where(
        and(
          eq(questionImport.fileId, fileId),
          bankId === null ? isNull(questionImport.bankId) : eq(questionImport.bankId, bankId),
          inArray(questionImport.state, ['queued', 'running']),
        ),
      )
    if (running) return running
    const [created] = await tx
      .insert(questionImport)
      .values({
        tenantId: actor.tenantId,
        fileId,
        fileName: name.slice(0, 255),
        bankId,
        by: actor.membershipId,
        requestingActor: toRequestingActor(actor),
      })
      .returning({ importId: questionImport.id })
    if (!created) throw new Error('an import that was inserted is not there')
    await enqueueJob(
      QUESTION_IMPORT_JOB,
      { tenantId: actor.tenantId, importId: created.importId },
      { singletonKey: created.importId },
    )
    return created
  })
}

/** Progress and result of an import of the actor. Refuses with forbidden, not_found. */
export async function getQuestionImport(actor: Actor, { importId }: QuestionImportId): Promise<QuestionImportView> {
  requireQuizReader(actor)
  const [row] = await inTenant(actor, (tx) =>
    tx
      .select(viewFields)
      .from(questionImport)
      .where(and(eq(questionImport.id, importId), eq(questionImport.by, actor.membershipId))),
  )
  if (!row) throw new Refusal('not_found')
  return row
}

/** The last imports of the actor, without their questions. Refuses with forbidden. */
export async function listQuestionImports(actor: Actor) {
  requireQuizReader(actor)
  const { result: _, failure: _1, ...fields } = viewFields
  return inTenant(actor, (tx) =>
    tx
      .select(fields)
      .from(questionImport)
      .where(eq(questionImport.by, actor.membershipId))
      .orderBy(desc(questionImport.createdAt), desc(questionImport.id))
      .limit(MAX_LISTED),
  )
}

/** Cancels an import of the actor, of which nothing is added then; one that has ended stays as it is. Refuses with forbidden, not_found. */
export async function cancelQuestionImport(actor: Actor, { importId }: QuestionImportId): Promise<QuestionImportId> {
  requireQuizEditor(actor)
  await getQuestionImport(actor, { importId })
  await inTenant(actor, (tx) =>
    tx
      .update(questionImport)
      .set({ state: 'canceled', endedAt: new Date() })
      .where(and(eq(questionImport.id, importId), inArray(questionImport.state, ['queued', 'running']))),
  )
  return { importId }
}

const viewFields = {
  id: questionImport.id,
  fileName: questionImport.fileName,
  bankId: questionImport.bankId,
  state: questionImport.state,
  progress: questionImport.progress,
  inserted: questionImport.inserted,
  result: questionImport.result,
  failure: questionImport.failure,
  createdAt: questionImport.createdAt,
}
