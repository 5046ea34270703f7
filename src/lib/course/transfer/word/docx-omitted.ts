import { createHash } from 'node:crypto'
import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { ImportNotes } from '../imported-course.ts'
import { childrenOf, decodeMarkupText, type Markup, type MarkupElement, parseXml, textContent } from '../markup.ts'
import { WORD_DOCUMENT } from './docx-markup.ts'

const OBJECTS = [
  ['chart', '<c:chart '],
  ['diagram', '<dgm:relIds '],
  ['object', '<o:OLEObject '],
] as const

/**
 * Notes the content of a Word document that no lesson shows: comments and the text of headers and footers; charts,
 * diagrams and embedded objects by number; images whose bytes are not among `kept`.
 */
export async function noteOmitted(
  archive: Archive,
  storedDigests: ReadonlySet<string>,
  notes: ImportNotes,
): Promise<void> {
  const text = decodeMarkupText((await archive.read(WORD_DOCUMENT)) ?? Buffer.alloc(0))
  for (const [kind, marker] of OBJECTS) {
    const count = text.split(marker).length - 1
    if (count > 0) notes.add(kind, String(count))
  }
  await noteComments(archive, notes)
  const headerImages = new Set<string>()
  for (const name of archive.names.filter((name) => /^word\/(?:header|footer)\d*\.xml$/.test(name))) {
    for (const image of await noteHeader(archive, name, notes)) headerImages.add(image)
  }
  for (const name of archive.names.filter((name) => name.startsWith('word/media/') && !headerImages.has(name))) {
    const bytes = await archive.read(name)
    if (bytes && !storedDigests.has(digestOf(bytes))) notes.add('filesUnused', path.basename(name), { files: 1 })
  }
}

/** Identifies the content of an image. */
export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function noteComments(archive: Archive, notes: ImportNotes): Promise<void> {
  const comments = await archive.read('word/comments.xml')
  if (!comments) return
  for (const comment of childrenOf(parseXml(comments, 'comments', 'word/comments.xml'), 'comment')) {
    const author = comment.attributes['w:author']
    const words = paragraphText(comment)
    if (words !== '') notes.add('comment', author ? `${author}: ${words}` : words)
  }
}

/** Notes a header or footer with the number of its characters, links and images. Returns the paths of its images. */
async function noteHeader(archive: Archive, name: string, notes: ImportNotes): Promise<string[]> {
  const header = parseXml((await archive.read(name)) ?? Buffer.alloc(0), null, name)
  const relations = await archive.read(`word/_rels/${path.basename(name)}.rels`)
  const targets = relations ? childrenOf(parseXml(relations, 'Relationships', name), 'Relationship') : []
  const targetsOf = (kind: string) =>
    targets.flatMap(({ attributes }) => (attributes.Type?.endsWith(`/${kind}`) ? (attributes.Target ?? '') : []))
  const images = targetsOf('image')
  const text = paragraphText(header)
  if (text === '' && images.length === 0) return []
  notes.add('pageHeader', text || images.map((image) => path.basename(image)).join(', '), {
    characters: text.length,
    links: targetsOf('hyperlink').length,
    files: images.length,
  })
  return images.map((image) => path.join('word', image))
}

/** The text of paragraphs, separated by spaces; alternate content for old and new programs is included once. */
function paragraphText(node: MarkupElement): string {
  return textParts(node).join('').replace(/\s+/g, ' ').trim()
}

function textParts(node: Markup): string[] {
  if (typeof node === 'string' || node.name === 'Fallback') return []
  if (node.name === 't') return [textContent(node)]
  const parts = node.children.flatMap(textParts)
  return ['p', 'tab', 'br'].includes(node.name) ? [...parts, ' '] : parts
}
