import path from 'node:path/posix'
import { type Source, type SourceUnit, unit } from './unit.ts'
import { all, nodesOf, type XmlNode } from './xml.ts'

/** Parts of a Word document that a reader sees, and what a note may call those that stay behind. */
const PARTS: [RegExp, string, RegExp][] = [
  [/^word\/document\.xml$/, 'body', /$^/],
  [/^word\/(foot|end)notes\.xml$/, 'notes', /$^/],
  [/^word\/comments\.xml$/, 'comments', /comment/i],
  [/^word\/(header|footer)\d*\.xml$/, 'headers', /^pageHeader$/],
]

/** What stands apart from its neighbours, the arguments of a formula included. */
const APART = new Set(['tab', 'br', 'p', 'num', 'den', 'e', 'sub', 'sup', 'deg', 'lim'])

/** What a Word document contains: text with formulas part by part, links, and images. */
export function docxSource(members: ReadonlyMap<string, Buffer>): Source {
  const units = PARTS.flatMap(([pattern, kind, note]) =>
    [...members]
      .filter(([name]) => pattern.test(name))
      .map(([name, bytes]): SourceUnit => {
        const relations = nodesOf(members.get(`word/_rels/${path.basename(name)}.rels`))
        const targets = new Map(
          all(relations, 'Relationship').map(({ attributes }) => [attributes.Id, attributes.Target]),
        )
        const body = nodesOf(bytes)
        const used = all(body, 'hyperlink').map(({ attributes }) => targets.get(attributes['r:id'] ?? '') ?? '')
        const text = paragraphs(body).join('\n')
        const addresses = used.filter((href) => /^\w+:/.test(href))
        const isListedBy: SourceUnit['isListedBy'] = (found) =>
          note.test(found.kind) && (kind !== 'headers' || lettersOf(text).startsWith(lettersOf(found.title)))
        return { ...unit(kind, name, text, addresses), isListedBy }
      }),
  )
  const images = [...members.keys()].filter((name) => name.startsWith('word/media/'))
  return {
    units,
    areNameless: true,
    files: images.map((name) => ({ name: path.basename(name), owners: [path.basename(name)] })),
  }
}

const lettersOf = (text: string): string => text.replace(/\s+/g, '')

/** Texts of paragraphs; what is drawn twice, for old and new readers, counts once. Deleted text is none. */
function paragraphs(node: XmlNode): string[] {
  return node.children.flatMap((child) => {
    if (child.name === 'Fallback') return []
    return child.name === 'p' ? [runs(child)] : paragraphs(child)
  })
}

function runs(node: XmlNode): string {
  return node.children
    .map((child) => {
      if (child.name === 'Fallback') return ''
      if (child.name === 't') return child.text
      if (APART.has(child.name)) return ` ${runs(child)} `
      return runs(child)
    })
    .join('')
}
