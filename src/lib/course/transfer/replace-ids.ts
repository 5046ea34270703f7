import { EMPTY_DOC, fileOf, type LessonDoc, type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import type { StoredCourseFile } from './store-files.ts'

/** New ids by the ids in an imported document. */
export interface NewIds {
  files: ReadonlyMap<string, StoredCourseFile>
  tasks: ReadonlyMap<string, string>
  tests: ReadonlyMap<string, string>
  /** Lessons of the same course; documents link to them by `lessonHref`. */
  lessons: ReadonlyMap<string, string>
  /** Formats without block types only refer to a file: it is shown by its detected kind. */
  showFiles: boolean
}

/** Blocks that show one file. */
const FILE_BLOCKS = new Set(['file', 'pdf', 'video', 'audio'])
/** Blocks that are dropped when empty. */
const CONTAINER_BLOCKS = new Set(['gallery', 'blockquote', 'callout'])

/**
 * Replaces ids of the source by ids of this tenant. Blocks of missing files and tasks are removed; a test block is kept
 * without a test if its test was not imported.
 */
export function replaceIds(doc: LessonDoc, ids: NewIds): LessonDoc {
  const content = doc.content.flatMap((node) => replaceInNode(node, ids, true))
  return content.length > 0 ? { type: 'doc', content } : EMPTY_DOC
}

function replaceInNode(node: LessonNode, ids: NewIds, isTopLevel: boolean): LessonNode[] {
  if (node.type === 'upload') return []
  if (node.type === 'test') return [{ ...node, attrs: { testId: ids.tests.get(String(node.attrs?.testId)) ?? null } }]
  if (node.type === 'task') {
    const taskId = ids.tasks.get(String(node.attrs?.taskId))
    return taskId ? [{ ...node, attrs: { taskId } }] : []
  }
  if (node.type === 'image') {
    const file = ids.files.get(fileOf(node.attrs?.src) ?? '')
    return file ? [{ ...node, attrs: { ...node.attrs, src: srcOf(file.fileId) } }] : []
  }
  if (FILE_BLOCKS.has(node.type)) {
    const file = ids.files.get(String(node.attrs?.fileId))
    return file ? [fileBlock(node, file, ids.showFiles, isTopLevel)] : []
  }
  if (!node.content) return [replaceLinks(node, ids)]
  const content = node.content.flatMap((child) => replaceInNode(child, ids, false))
  if (content.length === 0 && CONTAINER_BLOCKS.has(node.type)) return []
  return [{ ...node, content: content.length > 0 || node.content.length === 0 ? content : [{ type: 'paragraph' }] }]
}

/** Address of a lesson in documents. */
export const lessonHref = (lessonId: string): string => `${LESSON_PATH}${lessonId}`

const LESSON_PATH = '/course/lesson/'

function replaceLinks(node: LessonNode, { lessons }: NewIds): LessonNode {
  if (!node.marks?.some(({ type }) => type === 'link')) return node
  const marks = node.marks.map((mark) => {
    const href = String(mark.attrs?.href ?? '')
    if (mark.type !== 'link' || !href.startsWith(LESSON_PATH)) return mark
    const [path = '', fragment] = href.split('#', 2)
    const lessonId = lessons.get(path.slice(LESSON_PATH.length))
    return lessonId ? { ...mark, attrs: { href: `${lessonHref(lessonId)}${fragment ? `#${fragment}` : ''}` } } : mark
  })
  return { ...node, marks }
}

function fileBlock(
  { type, attrs }: LessonNode,
  file: StoredCourseFile,
  showsFile: boolean,
  isTopLevel: boolean,
): LessonNode {
  const { fileId, kind, mime } = file
  const namedAttrs = { fileId, name: String(attrs?.name ?? file.name) }
  if (type !== 'file') return { type, attrs: type === 'pdf' ? namedAttrs : { fileId } }
  if (showsFile && kind === 'image') return { type: 'image', attrs: { src: srcOf(fileId), alt: '' } }
  if (showsFile && isTopLevel && (kind === 'video' || kind === 'audio')) return { type: kind, attrs: { fileId } }
  return { type: showsFile && mime === 'application/pdf' ? 'pdf' : 'file', attrs: namedAttrs }
}
