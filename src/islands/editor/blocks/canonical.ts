import type { Node } from '@tiptap/pm/model'
import { LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'

/**
 * One text has one writing: the database forgets the order of keys and the server drops attributes that the editor adds,
 * so without this a text would differ from itself and ask its own author which of two equal versions to keep.
 */
export function canonicalDoc(blocks: object): LessonDoc {
  const parsed = LessonDoc.safeParse(blocks)
  if (parsed.success) return parsed.data
  return { type: 'doc', content: 'content' in blocks && Array.isArray(blocks.content) ? blocks.content : [] }
}

const canonicalBlocks = new WeakMap<Node, LessonNode[]>()

/**
 * The same for a document in the editor. A block that a keystroke left alone is the same object as before: it is neither
 * written nor checked anew, and whoever compares two documents need not look into it.
 */
export function canonicalDocOf(doc: Node): LessonDoc {
  const content = doc.children.flatMap((block) => {
    const content = canonicalBlocks.get(block) ?? canonicalDoc({ type: 'doc', content: [block.toJSON()] }).content
    canonicalBlocks.set(block, content)
    return content
  })
  return { type: 'doc', content }
}
