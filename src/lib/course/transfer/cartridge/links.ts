import path from 'node:path/posix'
import { lessonHref } from '../incoming-doc.ts'
import { decoded, innerPath, type References } from '../package/reading.ts'
import type { Item, Manifest, Resource } from './manifest.ts'

export interface CartridgeLinks {
  names: ReadonlySet<string>
  /** The resource that a path of the archive belongs to. */
  byFile: ReadonlyMap<string, Resource>
  byId: ReadonlyMap<string, Resource>
  items: ReadonlyMap<string, Item>
  /** The lesson that a resource becomes. */
  lessons: ReadonlyMap<Resource, string>
}

export function linksOf(
  { resources, items }: Manifest,
  archiveNames: readonly string[],
  lessons: ReadonlyMap<Resource, string>,
): CartridgeLinks {
  const byFile = new Map(resources.flatMap((one) => one.files.map((file) => [file, one] as const)))
  const withParts = resources.flatMap((one) => [one, ...one.parts].map(({ id }) => [id, one] as const))
  return {
    names: new Set(archiveNames),
    byFile,
    byId: new Map(withParts),
    items: new Map(everyItem(items).map((item) => [item.id, item])),
    lessons,
  }
}

export const everyItem = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...everyItem(item.children)])

/**
 * What the addresses in a page mean. Canvas writes `$WIKI_REFERENCE$/pages/<name>` for a page, `$CANVAS_OBJECT_REFERENCE$`
 * for anything by its identifier, `$CANVAS_COURSE_REFERENCE$` for parts of its own interface and `$IMS-CC-FILEBASE$` for
 * the folder of files; the specification has the last one, and addresses relative to the page.
 */
export function referencesOf(links: CartridgeLinks, page: string): References {
  return {
    file: (address) => {
      const found = fileOf(links, page, plain(address))
      return found ? { path: found, name: path.basename(found) } : null
    },
    page: (address) => pageOf(links, page, plain(address)),
  }
}

/** Tokens stand percent-encoded in links. */
const plain = (address: string): string =>
  address.replace(/^%24([A-Z_-]{1,40})%24/i, (_, token: string) => `$${token}$`)

function fileOf(links: CartridgeLinks, page: string, address: string): string | null {
  const named = /^\$CANVAS_(?:OBJECT_REFERENCE\$\/files|COURSE_REFERENCE\$\/file_ref)\/([^/?#]+)/.exec(address)
  const resource = links.byId.get(named?.[1] ?? '')
  const paths = resource?.role === 'file' ? [resource.href] : pathsOf(page, address)
  return paths.find((one) => links.names.has(one) && (links.byFile.get(one)?.role ?? 'file') === 'file') ?? null
}

function pathsOf(page: string, address: string): string[] {
  const [, inBase] = /^\$IMS[-_]CC[-_]FILEBASE\$\/?(.*)$/i.exec(address) ?? []
  if (inBase === undefined) return [innerPath(page, address)].flatMap((one) => one ?? [])
  const bare = decoded(inBase.split(/[?#]/)[0] ?? '').replace(/^(\.\.\/)+/, '')
  return [`web_resources/${bare}`, bare, path.join(path.dirname(page), bare)]
}

function pageOf(links: CartridgeLinks, page: string, address: string): string | null | undefined {
  const [, token, rest = ''] = /^\$([A-Z_-]{1,40})\$\/?(.*)$/i.exec(address) ?? []
  const lesson = (resource: Resource | undefined) => {
    const id = resource ? links.lessons.get(resource) : undefined
    return id ? lessonHref(id) : null
  }
  const kind = token?.toUpperCase()
  const [place = '', name = '', more = ''] = (rest.split(/[?#]/)[0] ?? '').split('/')
  if (kind === 'WIKI_REFERENCE' || (kind?.startsWith('CANVAS_') && /^(pages|wiki)$/.test(place))) {
    const slug = decoded(name || place)
    return lesson(links.byFile.get(`wiki_content/${slug}.html`) ?? links.byId.get(slug))
  }
  if (kind?.startsWith('CANVAS_')) {
    if (fileOf(links, page, address)) return undefined
    if (place === 'modules') return lesson(firstOf(links.items.get(name === 'items' ? more : name), links))
    if (name === 'syllabus') return lesson(links.byFile.get('course_settings/syllabus.html'))
    return lesson(links.byId.get(name))
  }
  const found = pathsOf(page, address).find((one) => links.byFile.has(one))
  const resource = found ? links.byFile.get(found) : undefined
  if (resource && resource.role !== 'file' && resource.href === found) return lesson(resource)
  return kind && kind !== 'IMS-CC-FILEBASE' && kind !== 'IMS_CC_FILEBASE' ? null : undefined
}

/** The first of a module's items that becomes a lesson. */
const firstOf = (item: Item | undefined, links: CartridgeLinks): Resource | undefined =>
  everyItem(item ? [item] : []).find(({ resource }) => resource && links.lessons.has(resource))?.resource
