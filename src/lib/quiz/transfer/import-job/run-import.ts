import { createHash } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { type Actor, restoreActor } from '#lib/core/shared/actor.ts'
import { discardFiles } from '#lib/course/transfer/store-files.ts'
import { notify } from '#lib/notification/notify.ts'
import { requireBank } from '../../bank/bank.ts'
import { insertQuestionRows } from '../../bank/insert-questions.ts'
import { requireQuizEditor } from '../../permission.ts'
import { question } from '../../question/table.ts'
import type { ReadQuestions } from '../question-reader.ts'
import type { ImportFailure } from '../schema.ts'
import { type NumberedDraft, storeMedia } from '../store-media.ts'
import { describeFile } from '../transfer.ts'
import { parseQuestionsInJob } from '../worker-task.ts'
import { questionImport } from './table.ts'

/** The progress when the file is read, and when its images are stored. */
const READ_PERCENT = 20
const STORED_PERCENT = 95
const BATCH = 100

type ImportRow = typeof questionImport.$inferSelect

/** The import was canceled, or another run has ended it. */
class EndedImport extends Error {}

/**
 * Imports the questions of a stored file: its images first, then all questions, the result and the end of the import in one
 * transaction. An interrupted run leaves no question, and the next one removes the images of the run before. A refusal is
 * recorded in the import. Questions get the same ids whenever the same file is imported into the same bank, so that a second
 * import adds none twice.
 */
export async function runQuestionImport(
  { tenantId, importId }: { tenantId: string; importId: string },
  { isLastAttempt, signal }: Pick<JobRun, 'isLastAttempt' | 'signal'>,
): Promise<void> {
  const row = await startRun(tenantId, importId)
  if (!row) return
  const actor = restoreActor(row.requestingActor, importId)
  const storedFileIds: string[] = []
  try {
    await discardFiles(actor, row.storedFileIds)
    await readAndInsert(actor, row, storedFileIds, signal)
  } catch (error) {
    await discardFiles(actor, storedFileIds)
    if (error instanceof EndedImport) return
    if (error instanceof Refusal) {
      const { fields = {}, variables = {} } = error.details
      await failImport(tenantId, importId, { code: error.code, fields, variables })
      return
    }
    if (isLastAttempt) {
      const fields = { file: ['import_crashed'] }
      await failImport(tenantId, importId, { code: 'unprocessable', fields, variables: {} })
    }
    throw error
  }
}

async function readAndInsert(actor: Actor, row: ImportRow, storedFileIds: string[], signal: AbortSignal) {
  requireQuizEditor(actor)
  const read = await readStored(actor, row.fileId, signal)
  await saveProgress(row, READ_PERCENT, [])
  const drafts = await withoutExisting(actor, row, read)
  const total = Math.max(1, read.files.length)
  const stored = await storeMedia(actor, drafts, read.files, async ({ fileId, isNew }, count) => {
    signal.throwIfAborted()
    if (isNew) storedFileIds.push(fileId)
    await saveProgress(row, READ_PERCENT + (count / total) * (STORED_PERCENT - READ_PERCENT), storedFileIds)
  })
  await insertAll(actor, row, stored, read)
}

/** In one transaction with the end of the import: it is canceled before, or not at all. */
async function insertAll(actor: Actor, row: ImportRow, drafts: readonly NumberedDraft[], read: ReadQuestions) {
  await inTenant(actor, async (tx) => {
    const ofImport = eq(questionImport.id, row.id)
    const [current] = await tx
      .select({ state: questionImport.state })
      .from(questionImport)
      .where(ofImport)
      .for('update')
    if (current?.state !== 'running') throw new EndedImport()
    await requireBank(tx, row.bankId)
    let inserted = 0
    for (let start = 0; start < drafts.length; start += BATCH) {
      const batch = drafts.slice(start, start + BATCH)
      const questions = batch.map(({ draft, number }) => ({ questionId: questionIdOf(row, number), draft }))
      inserted += (await insertQuestionRows(tx, actor, row.bankId, questions)).length
    }
    const result = describeFile(row.fileName, read)
    await tx
      .update(questionImport)
      .set({ state: 'done', progress: 100, inserted, result, storedFileIds: [], endedAt: new Date() })
      .where(ofImport)
    await notify(tx, {
      kind: 'questions_imported',
      memberIds: [actor.membershipId],
      key: `question-import/${row.id}`,
      data: { subject: row.fileName },
      link: `/courses?questions=import&import=${row.id}`,
    })
  })
}

async function startRun(tenantId: string, importId: string): Promise<ImportRow | undefined> {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx
      .update(questionImport)
      .set({ state: 'running', progress: 1 })
      .where(and(eq(questionImport.id, importId), inArray(questionImport.state, ['queued', 'running'])))
      .returning(),
  )
  return row
}

async function saveProgress({ tenantId, id }: ImportRow, percent: number, storedFileIds: string[]): Promise<void> {
  const changed = await inTenant({ tenantId }, (tx) =>
    tx
      .update(questionImport)
      .set({ progress: Math.floor(percent), storedFileIds })
      .where(and(eq(questionImport.id, id), eq(questionImport.state, 'running')))
      .returning({ id: questionImport.id }),
  )
  if (changed.length === 0) throw new EndedImport()
}

async function failImport(tenantId: string, importId: string, failure: ImportFailure): Promise<void> {
  await inTenant({ tenantId }, (tx) =>
    tx
      .update(questionImport)
      .set({ state: 'failed', failure, storedFileIds: [], endedAt: new Date() })
      .where(and(eq(questionImport.id, importId), eq(questionImport.state, 'running'))),
  )
}

function readStored(actor: Actor, fileId: string, signal: AbortSignal): Promise<ReadQuestions> {
  return withTemporaryFolder(async (scratch) => {
    const localFile = await store.openLocalCopy(`${actor.tenantId}/${fileId}`, scratch)
    if (!localFile) throw new Refusal('not_found')
    try {
      return await parseQuestionsInJob({ path: localFile.path, scratch }, signal)
    } finally {
      await localFile.done()
    }
  })
}

/** The questions that an earlier import of the file has not added. */
async function withoutExisting(actor: Actor, row: ImportRow, { questions }: ReadQuestions): Promise<NumberedDraft[]> {
  const ids = new Map(questions.map(({ number }) => [number, questionIdOf(row, number)]))
  const existing = await inTenant(actor, (tx) =>
    tx
      .select({ id: question.id })
      .from(question)
      .where(inArray(question.id, [...ids.values()])),
  )
  const known = new Set(existing.map(({ id }) => id))
  return questions.flatMap(({ draft, number }) =>
    draft && !known.has(ids.get(number) ?? '') ? [{ draft, number }] : [],
  )
}

/** A UUID (version 8, RFC 9562) of what is imported. */
function questionIdOf({ tenantId, fileId, bankId }: ImportRow, number: number): string {
  const hash = createHash('sha256')
    .update(`${tenantId} ${fileId} ${bankId ?? ''} ${number}`)
    .digest()
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x80
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
