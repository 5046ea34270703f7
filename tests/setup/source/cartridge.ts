import path from 'node:path/posix'
import type { TransferNote } from '#lib/course/transfer/schema.ts'
import { visibleText } from './html.ts'
import { createSourceUnit, isWholeUnitNote, type Source, type SourceFile, type SourceUnit } from './unit.ts'
import { findAll, parseXml, textAt, type XmlNode } from './xml.ts'

/** Reads the content of a Common Cartridge: every item of the outline and every resource of the manifest. */
export function readCartridge(members: ReadonlyMap<string, Buffer>): Source {
  const root = parseXml(members.get('imsmanifest.xml'))
  const titles = new Map(
    findAll(root, 'item').map((item) => [item.attributes.identifierref ?? '', textAt(item, 'title')]),
  )
  const headings = findAll(root, 'item').flatMap((item) => textAt(item, 'title') || [])
  const units: SourceUnit[] = []
  const files: SourceFile[] = []
  const covered = new Set(
    findAll(root, 'resource').flatMap((resource) => (findAll(resource, 'variant').length > 0 ? resource : [])),
  )
  for (const resource of findAll(root, 'resource')) {
    const title = titles.get(resource.attributes.identifier ?? '') ?? ''
    const names = [
      resource.attributes.href ?? '',
      ...findAll(resource, 'file').map(({ attributes }) => attributes.href ?? ''),
    ]
    const own = [...new Set(names.filter(Boolean).map(decodeName))]
    const parents = parentsOf(root, resource, titles)
    const read = createUnit(resource, title, own, { members, parents })
    if (read) units.push(...(covered.has(resource) ? [] : [read]))
    else files.push(...own.map((name) => ({ name: path.basename(name), owners: [title, name] })))
  }
  units.push(...headings.map((title) => createSourceUnit('item', title, title)))
  return { units, files }
}

/** Titles of the resources that depend on a resource; notes may use them. */
function parentsOf(root: XmlNode, { attributes }: XmlNode, titles: ReadonlyMap<string, string>): string[] {
  return findAll(root, 'resource')
    .filter((resource) =>
      findAll(resource, 'dependency').some((needed) => needed.attributes.identifierref === attributes.identifier),
    )
    .map((resource) => titles.get(resource.attributes.identifier ?? '') ?? '')
}

/** Creates the unit of a page, an assignment, a link, or unsupported content; null for a file. */
function createUnit(
  resource: XmlNode,
  title: string,
  names: readonly string[],
  { members, parents }: { members: ReadonlyMap<string, Buffer>; parents: readonly string[] },
) {
  const [main = ''] = names
  const type = resource.attributes.type ?? ''
  const xml = parseXml(/\.(xml|qti)$/.test(main) ? members.get(main) : undefined).children[0]
  if (/\.x?html?$/.test(main)) {
    const page = visibleText(members.get(main)?.toString() ?? '')
    return createSourceUnit(names.length > 1 ? 'assignment' : 'page', title, page.text, page.links)
  }
  if (/^assignment_/.test(type)) {
    const { text, links } = visibleText(textAt(xml, 'text'))
    return createSourceUnit('assignment', title || textAt(xml, 'title'), text, links)
  }
  if (/^imswl_/.test(type))
    return createSourceUnit('link', title, '', [xml ? (findAll(xml, 'url')[0]?.attributes.href ?? '') : ''])
  if (!/^ims|associatedcontent/.test(type)) return null
  const kind = /^imsdt/.test(type)
    ? 'discussion'
    : /^imsqti/.test(type)
      ? 'quiz'
      : /lti/.test(type)
        ? 'tool'
        : 'settings'
  // The report names the outcome of each question of a test; unsupported content is only counted, with all its text.
  const isTest = kind === 'quiz' || names.some((name) => /(^|\/)assessment_meta\.xml$|\.qti$/.test(name))
  const text = isTest ? '' : names.map((name) => visibleText(parseXml(members.get(name)).text).text).join(' ')
  const bank = xml && findAll(xml, 'qtimetadatafield').find((field) => textAt(field, 'fieldlabel') === 'bank_title')
  const own = [title, textAt(xml, 'title'), textAt(bank || undefined, 'fieldentry'), path.basename(main)]
  const quiz = (xml ? findAll(xml, 'assessment')[0]?.attributes.title : '') ?? ''
  const known = new Set([...own, quiz, ...parents].filter(Boolean))
  const named = title || quiz || textAt(xml, 'title') || path.basename(main)
  return {
    ...createSourceUnit(kind, named, text),
    isListedBy: (note: TransferNote) => isWholeUnitNote(note) && known.has(note.title),
  }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
