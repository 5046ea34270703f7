import type { Node } from '@tiptap/pm/model'
import { LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'

/**
 * Canonical form of a document: the database changes the key order and the server drops attributes that the editor
 * adds; without it equal documents would conflict.
 */
export function canonicalDoc(blocks: object): LessonDoc {
  const parsed = LessonDoc.safeParse(blocks)
  if (parsed.success) return parsed.data
  return { type: 'doc', content: 'content' in blocks && Array.isArray(blocks.content) ? blocks.content : [] }
}

const canonicalBlocks = new WeakMap<Node, LessonNode[]>()

/**
 * Canonical form of the editor's document. Unchanged blocks keep their object, so that they are not serialized,
 * validated or compared again.
 */
export function canonicalDocOf(doc: Node): LessonDoc {
  const content = doc.children.flatMap((block) => {
    const content = canonicalBlocks.get(block) ?? canonicalDoc({ type: 'doc', content: [block.toJSON()] }).content
    canonicalBlocks.set(block, content)
    return content
  })
  return { type: 'doc', content }
}
