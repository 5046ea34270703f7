import path from 'node:path/posix'
import type { TransferNote } from '#lib/course/transfer/schema.ts'
import { shownBy } from './html.ts'
import { isWhole, type Source, type SourceFile, type SourceUnit, unit } from './unit.ts'
import { all, at, nodesOf, type XmlNode } from './xml.ts'

/** What a cartridge contains: every item of the outline, and every resource of the manifest by what its files are. */
export function cartridgeSource(members: ReadonlyMap<string, Buffer>): Source {
  const root = nodesOf(members.get('imsmanifest.xml'))
  const titles = new Map(all(root, 'item').map((item) => [item.attributes.identifierref ?? '', at(item, 'title')]))
  const headings = all(root, 'item').flatMap((item) => at(item, 'title') || [])
  const units: SourceUnit[] = []
  const files: SourceFile[] = []
  const covered = new Set(
    all(root, 'resource').flatMap((resource) => (all(resource, 'variant').length > 0 ? resource : [])),
  )
  for (const resource of all(root, 'resource')) {
    const title = titles.get(resource.attributes.identifier ?? '') ?? ''
    const names = [
      resource.attributes.href ?? '',
      ...all(resource, 'file').map(({ attributes }) => attributes.href ?? ''),
    ]
    const own = [...new Set(names.filter(Boolean).map(decoded))]
    const parents = parentsOf(root, resource, titles)
    const read = unitOf(resource, title, own, { members, parents })
    if (read) units.push(...(covered.has(resource) ? [] : [read]))
    else files.push(...own.map((name) => ({ name: path.basename(name), owners: [title, name] })))
  }
  units.push(...headings.map((title) => unit('item', title, title)))
  return { units, files }
}

/** Titles of what depends on a resource: with those it is noted. */
function parentsOf(root: XmlNode, { attributes }: XmlNode, titles: ReadonlyMap<string, string>): string[] {
  return all(root, 'resource')
    .filter((one) => all(one, 'dependency').some((needed) => needed.attributes.identifierref === attributes.identifier))
    .map((one) => titles.get(one.attributes.identifier ?? '') ?? '')
}

/** A page, an assignment, a link, or something that is not imported; null for a file. */
function unitOf(
  resource: XmlNode,
  title: string,
  names: readonly string[],
  { members, parents }: { members: ReadonlyMap<string, Buffer>; parents: readonly string[] },
) {
  const [main = ''] = names
  const type = resource.attributes.type ?? ''
  const xml = nodesOf(/\.(xml|qti)$/.test(main) ? members.get(main) : undefined).children[0]
  if (/\.x?html?$/.test(main)) {
    const page = shownBy(members.get(main)?.toString() ?? '')
    return unit(names.length > 1 ? 'assignment' : 'page', title, page.text, page.links)
  }
  if (/^assignment_/.test(type)) {
    const { text, links } = shownBy(at(xml, 'text'))
    return unit('assignment', title || at(xml, 'title'), text, links)
  }
  if (/^imswl_/.test(type)) return unit('link', title, '', [xml ? (all(xml, 'url')[0]?.attributes.href ?? '') : ''])
  if (!/^ims|associatedcontent/.test(type)) return null
  const kind = /^imsdt/.test(type)
    ? 'discussion'
    : /^imsqti/.test(type)
      ? 'quiz'
      : /lti/.test(type)
        ? 'tool'
        : 'settings'
  // What is only listed has to be counted, not understood: all its text.
  const text = names.map((name) => shownBy(nodesOf(members.get(name)).text).text).join(' ')
  const bank = xml && all(xml, 'qtimetadatafield').find((field) => at(field, 'fieldlabel') === 'bank_title')
  const own = [title, at(xml, 'title'), at(bank || undefined, 'fieldentry'), path.basename(main)]
  const quiz = (xml ? all(xml, 'assessment')[0]?.attributes.title : '') ?? ''
  const known = new Set([...own, quiz, ...parents].filter(Boolean))
  const named = title || quiz || at(xml, 'title') || path.basename(main)
  return { ...unit(kind, named, text), isListedBy: (note: TransferNote) => isWhole(note) && known.has(note.title) }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
