import type { Markup } from '../markup.ts'

// Private use characters around the number of an item.
const START = '\ue010'
const END = '\ue011'
const MARKER = /\ue010(\d{1,9})\ue011/
const PROPERTIES_END = '</w:pPr>'

/**
 * Marks the items that continue a numbering after other paragraphs with their number, because the library starts every
 * list at 1. Each numbering of the document counts its levels; a higher level starts the lower ones again.
 */
export function withListNumbers(xml: string): string {
  const counts = new Map<string, number[]>()
  let last: string | null = null
  return xml
    .replace(/[\ue010\ue011]/g, '')
    .split('</w:p>')
    .map((chunk) => {
      const start = Math.max(chunk.lastIndexOf('<w:p>'), chunk.lastIndexOf('<w:p '))
      const list = start < 0 ? null : listLevelOf(chunk.slice(start))
      const isContinued = list !== null && list.id !== last
      if (start >= 0) last = list?.id ?? null
      if (!list) return chunk
      const levels = (counts.get(list.id) ?? []).slice(0, list.level + 1)
      const number = (levels[list.level] ?? 0) + 1
      levels[list.level] = number
      counts.set(list.id, levels)
      const at = chunk.indexOf(PROPERTIES_END, start) + PROPERTIES_END.length
      if (!isContinued || number === 1) return chunk
      return `${chunk.slice(0, at)}<w:r><w:t>${START}${number}${END}</w:t></w:r>${chunk.slice(at)}`
    })
    .join('</w:p>')
}

function listLevelOf(paragraph: string): { id: string; level: number } | null {
  const properties = paragraph.slice(0, Math.max(0, paragraph.indexOf(PROPERTIES_END)))
  const id = /<w:numId w:val="(\d{1,9})"/.exec(properties)?.[1]
  const level = Number(/<w:ilvl w:val="(\d)"/.exec(properties)?.[1] ?? 0)
  return id === undefined || id === '0' ? null : { id, level }
}

/** Numbered lists start at the number of a marked first item; all marks are removed. */
export function withListStarts(nodes: readonly Markup[]): Markup[] {
  return nodes.map((node) => {
    if (typeof node === 'string') return node.replace(MARKER, '')
    const first = node.children.find((child) => typeof child !== 'string')
    const number = node.name === 'ol' && first ? MARKER.exec(ownText(first))?.[1] : undefined
    const attributes = number === undefined ? node.attributes : { ...node.attributes, start: number }
    return { ...node, attributes, children: withListStarts(node.children) }
  })
}

/** The text of an item without the lists inside. */
const ownText = (node: Markup): string => {
  if (typeof node === 'string') return node
  return node.name === 'ol' || node.name === 'ul' ? '' : node.children.map(ownText).join('')
}
