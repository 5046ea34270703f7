import path from 'node:path/posix'
import { createSourceUnit, type Source, type SourceUnit } from './unit.ts'
import { findAll, parseXml, type XmlNode } from './xml.ts'

/** Visible parts of a Word document, and the notes of parts that are not imported. */
const PARTS: [RegExp, string, RegExp][] = [
  [/^word\/document\.xml$/, 'body', /$^/],
  [/^word\/(foot|end)notes\.xml$/, 'notes', /$^/],
  [/^word\/comments\.xml$/, 'comments', /comment/i],
  [/^word\/(header|footer)\d*\.xml$/, 'headers', /^pageHeader$/],
]

/** Elements that separate words, including the arguments of a formula. */
const SEPARATING = new Set(['tab', 'br', 'p', 'num', 'den', 'e', 'sub', 'sup', 'deg', 'lim'])

/** Reads the content of a Word document: text with formulas by part, links, and images. */
export function readDocx(members: ReadonlyMap<string, Buffer>): Source {
  const units = PARTS.flatMap(([pattern, kind, note]) =>
    [...members]
      .filter(([name]) => pattern.test(name))
      .map(([name, bytes]): SourceUnit => {
        const relations = parseXml(members.get(`word/_rels/${path.basename(name)}.rels`))
        const targets = new Map(
          findAll(relations, 'Relationship').map(({ attributes }) => [attributes.Id, attributes.Target]),
        )
        const body = parseXml(bytes)
        const used = findAll(body, 'hyperlink').map(({ attributes }) => targets.get(attributes['r:id'] ?? '') ?? '')
        const text = paragraphTexts(body).join('\n')
        const addresses = used.filter((href) => /^\w+:/.test(href))
        const isListedBy: SourceUnit['isListedBy'] = (transferNote) =>
          note.test(transferNote.kind) &&
          (kind !== 'headers' || withoutSpaces(text).startsWith(withoutSpaces(transferNote.title)))
        return { ...createSourceUnit(kind, name, text, addresses), isListedBy }
      }),
  )
  const images = [...members.keys()].filter((name) => name.startsWith('word/media/'))
  return {
    units,
    areNameless: true,
    files: images.map((name) => ({ name: path.basename(name), owners: [path.basename(name)] })),
  }
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '')

/** Returns the texts of paragraphs, without deleted text and fallback content for old readers. */
function paragraphTexts(node: XmlNode): string[] {
  return node.children.flatMap((child) => {
    if (child.name === 'Fallback') return []
    return child.name === 'p' ? [runText(child)] : paragraphTexts(child)
  })
}

function runText(node: XmlNode): string {
  return node.children
    .map((child) => {
      if (child.name === 'Fallback') return ''
      if (child.name === 't') return child.text
      if (SEPARATING.has(child.name)) return ` ${runText(child)} `
      return runText(child)
    })
    .join('')
}
