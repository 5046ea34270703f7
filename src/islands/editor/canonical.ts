import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'

/**
 * One text has one writing: the database forgets the order of keys and the server drops attributes that the editor adds,
 * so without this a text would differ from itself and ask its own author which of two equal versions to keep.
 */
export function canonical(blocks: object): LessonDoc {
  const parsed = LessonDoc.safeParse(blocks)
  if (parsed.success) return parsed.data
  return { type: 'doc', content: 'content' in blocks && Array.isArray(blocks.content) ? blocks.content : [] }
}
