import type { Node } from '@tiptap/pm/model'
import { LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'

/**
 * One text has one writing: the database forgets the order of keys and the server drops attributes that the editor adds,
 * so without this a text would differ from itself and ask its own author which of two equal versions to keep.
 */
export function canonical(blocks: object): LessonDoc {
  const parsed = LessonDoc.safeParse(blocks)
  if (parsed.success) return parsed.data
  return { type: 'doc', content: 'content' in blocks && Array.isArray(blocks.content) ? blocks.content : [] }
}

const written = new WeakMap<Node, LessonNode[]>()

/**
 * The same for a document in the editor. A block that a keystroke left alone is the same object as before: it is neither
 * written nor checked anew, and whoever compares two documents need not look into it.
 */
export function canonicalOf(doc: Node): LessonDoc {
  const content = doc.children.flatMap((block) => {
    const known = written.get(block) ?? canonical({ type: 'doc', content: [block.toJSON()] }).content
    written.set(block, known)
    return known
  })
  return { type: 'doc', content }
}
