import type { Markup, MarkupElement } from '#lib/course/transfer/markup.ts'

/**
 * QTI 3 has elements like `qti-choice-interaction` and attributes like `max-choices`; they are converted to the names
 * of QTI 2.
 */
export function normalizeQti(node: MarkupElement): MarkupElement {
  const isOwn = node.name.startsWith('qti-')
  const children = node.children.map((child): Markup => (typeof child === 'string' ? child : normalizeQti(child)))
  if (!isOwn) return { ...node, children }
  const attributes = Object.fromEntries(
    Object.entries(node.attributes).map(([name, value]) => [camelCase(name), value]),
  )
  return { name: camelCase(node.name.slice('qti-'.length)), attributes, children }
}

const camelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

export type QtiVersion = 'qti21' | 'qti22' | 'qti30'

/** The version of an item by its root, before it is normalized; null for another document. */
export function qtiVersion(root: MarkupElement): QtiVersion | null {
  if (root.name === 'qti-assessment-item') return 'qti30'
  if (root.name !== 'assessmentItem') return null
  const namespaces = Object.values(root.attributes).join(' ')
  return namespaces.includes('imsqti_v2p2') ? 'qti22' : 'qti21'
}
