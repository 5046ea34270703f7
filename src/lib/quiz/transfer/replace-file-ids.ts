import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { type NewIds, replaceIds } from '#lib/course/transfer/replace-ids.ts'
import type { QuestionContent } from '../question/schema.ts'

/** Puts the ids of stored files into all texts of a question; files that were not stored are omitted. */
export function replaceFileIds(
  content: QuestionContent,
  { files, showFiles }: Pick<NewIds, 'files' | 'showFiles'>,
): QuestionContent {
  const ids: NewIds = { files, tasks: new Map(), tests: new Map(), lessons: new Map(), showFiles }
  const replace = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(replace)
    if (typeof inner !== 'object' || inner === null) return inner
    if (isDoc(inner)) return replaceIds(inner, ids)
    return Object.fromEntries(
      Object.entries(inner).map(([key, entry]) => {
        return [key, key === 'imageFileId' ? (files.get(String(entry))?.fileId ?? null) : replace(entry)]
      }),
    )
  }
  return replace(content) as QuestionContent
}

const isDoc = (value: object): value is LessonDoc => 'type' in value && value.type === 'doc' && 'content' in value
