import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import { importFile } from '#lib/storage/upload/import-file.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { requireQuizEditor } from '../permission.ts'
import { importRefusal, type ReadQuestions } from './question-reader.ts'
import { MAX_QUESTION_FILE_BYTES, type PreviewQuestions, type QuestionVerdict, type ReadFile } from './schema.ts'
import { parseUploadedQuestions } from './worker-task.ts'

const EXTENSIONS: Record<string, string> = { csv: '.csv', moodle: '.xml', gift: '.txt', aiken: '.txt' }

/**
 * Stores an uploaded file or pasted text in the file library, for `previewQuestions` and `startQuestionImport`; the same
 * content is stored once. It is parsed first, so that a file without questions is not stored. Refuses with forbidden,
 * plan_inactive, and as readQuestionFile and importFile.
 */
export async function storeQuestionFile(
  actor: Actor,
  { bytes, fileName }: { bytes: Uint8Array; fileName: string },
): Promise<{ fileId: string }> {
  requireQuizEditor(actor)
  if (bytes.length > MAX_QUESTION_FILE_BYTES) throw importRefusal('questions_too_large')
  return withTemporaryFolder(async (scratch) => {
    const localPath = path.join(scratch, 'questions')
    await writeFile(localPath, bytes)
    const { format } = await parseUploadedQuestions({ path: localPath, scratch })
    const name =
      fileName
        .replace(/[\p{Cc}\u2028\u2029/\\]/gu, ' ')
        .slice(-120)
        .trim() || 'questions'
    // The library cannot detect the type of a name without an extension.
    const ending = /\.[a-z0-9]{2,6}$/i.test(name) ? '' : (EXTENSIONS[format] ?? '')
    const { fileId } = await importFile(actor, { path: localPath, name: `${name}${ending}`, folderId: null })
    return { fileId }
  })
}

/**
 * Previews the import of a stored file: the outcome for each question. Refuses with forbidden, not_found, and as
 * readQuestionFile.
 */
export async function previewQuestions(actor: Actor, { fileId }: PreviewQuestions): Promise<ReadFile> {
  requireQuizEditor(actor)
  const { name } = await findFile(actor, fileId)
  return describeFile(name, await readStored(actor, fileId))
}

/** The outcome of each question of a file, without its content. */
export function describeFile(fileName: string, { format, questions, unknownColumns }: ReadQuestions): ReadFile {
  const verdicts = questions.map(({ draft, ...verdict }): QuestionVerdict & { type: QuestionType | null } => ({
    ...verdict,
    type: draft?.content.type ?? null,
  }))
  const counts = { imported: 0, changed: 0, skipped: 0 }
  for (const { verdict } of verdicts) counts[verdict] += 1
  return { fileName, format, counts, unknownColumns, questions: verdicts }
}

function readStored(actor: Actor, fileId: string): Promise<ReadQuestions> {
  return withTemporaryFolder(async (scratch) => {
    const localFile = await store.openLocalCopy(`${actor.tenantId}/${fileId}`, scratch)
    if (!localFile) throw new Refusal('not_found')
    try {
      return await parseUploadedQuestions({ path: localFile.path, scratch })
    } finally {
      await localFile.done()
    }
  })
}
