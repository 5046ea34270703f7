import path from 'node:path/posix'
import { type AddressReferences, decodeUri, innerPath } from '../package/package-reader.ts'
import { lessonHref } from '../replace-ids.ts'
import type { CartridgeManifest, ManifestItem, ManifestResource } from './manifest.ts'

export interface CartridgeLinks {
  names: ReadonlySet<string>
  /** Resource by path in the archive. */
  byFile: ReadonlyMap<string, ManifestResource>
  byId: ReadonlyMap<string, ManifestResource>
  items: ReadonlyMap<string, ManifestItem>
  /** Lesson id by resource. */
  lessons: ReadonlyMap<ManifestResource, string>
}

export function buildLinks(
  { resources, items }: CartridgeManifest,
  archiveNames: readonly string[],
  lessons: ReadonlyMap<ManifestResource, string>,
): CartridgeLinks {
  const byFile = new Map(resources.flatMap((resource) => resource.files.map((file) => [file, resource] as const)))
  const idPairs = resources.flatMap((resource) =>
    [resource, ...resource.parts].map(({ id }) => [id, resource] as const),
  )
  return {
    names: new Set(archiveNames),
    byFile,
    byId: new Map(idPairs),
    items: new Map(flattenItems(items).map((item) => [item.id, item])),
    lessons,
  }
}

export const flattenItems = (items: readonly ManifestItem[]): ManifestItem[] =>
  items.flatMap((item) => [item, ...flattenItems(item.children)])

/**
 * Resolves addresses in a page. Canvas writes `$WIKI_REFERENCE$/pages/<name>` for a page, `$CANVAS_OBJECT_REFERENCE$`
 * for anything by identifier, `$CANVAS_COURSE_REFERENCE$` for parts of its own interface and `$IMS-CC-FILEBASE$` for
 * the file folder; the specification defines the last one, and addresses relative to the page.
 */
export function referencesOf(links: CartridgeLinks, page: string): AddressReferences {
  return {
    file: (address) => {
      const target = findFile(links, page, decodeTokens(address))
      return target ? { path: target, name: path.basename(target) } : null
    },
    page: (address) => findPage(links, page, decodeTokens(address)),
  }
}

/** Tokens are percent-encoded in links. */
const decodeTokens = (address: string): string =>
  address.replace(/^%24([A-Z_-]{1,40})%24/i, (_, token: string) => `$${token}$`)

function findFile(links: CartridgeLinks, page: string, address: string): string | null {
  const identifierMatch = /^\$CANVAS_(?:OBJECT_REFERENCE\$\/files|COURSE_REFERENCE\$\/file_ref)\/([^/?#]+)/.exec(
    address,
  )
  const resource = links.byId.get(identifierMatch?.[1] ?? '')
  const candidates = resource?.role === 'file' ? [resource.href] : candidatePaths(page, address)
  return (
    candidates.find(
      (candidate) => links.names.has(candidate) && (links.byFile.get(candidate)?.role ?? 'file') === 'file',
    ) ?? null
  )
}

function candidatePaths(page: string, address: string): string[] {
  const [, basePath] = /^\$IMS[-_]CC[-_]FILEBASE\$\/?(.*)$/i.exec(address) ?? []
  if (basePath === undefined) return [innerPath(page, address)].flatMap((path) => path ?? [])
  const relativePath = decodeUri(basePath.split(/[?#]/)[0] ?? '').replace(/^(\.\.\/)+/, '')
  return [`web_resources/${relativePath}`, relativePath, path.join(path.dirname(page), relativePath)]
}

function findPage(links: CartridgeLinks, page: string, address: string): string | null | undefined {
  const [, token, rest = ''] = /^\$([A-Z_-]{1,40})\$\/?(.*)$/i.exec(address) ?? []
  const hrefOfLesson = (resource: ManifestResource | undefined) => {
    const id = resource ? links.lessons.get(resource) : undefined
    return id ? lessonHref(id) : null
  }
  const kind = token?.toUpperCase()
  const [section = '', name = '', itemId = ''] = (rest.split(/[?#]/)[0] ?? '').split('/')
  if (kind === 'WIKI_REFERENCE' || (kind?.startsWith('CANVAS_') && /^(pages|wiki)$/.test(section))) {
    const slug = decodeUri(name || section)
    return hrefOfLesson(links.byFile.get(`wiki_content/${slug}.html`) ?? links.byId.get(slug))
  }
  if (kind?.startsWith('CANVAS_')) {
    if (findFile(links, page, address)) return undefined
    if (section === 'modules')
      return hrefOfLesson(firstLessonResource(links.items.get(name === 'items' ? itemId : name), links))
    if (name === 'syllabus') return hrefOfLesson(links.byFile.get('course_settings/syllabus.html'))
    return hrefOfLesson(links.byId.get(name))
  }
  const candidate = candidatePaths(page, address).find((path) => links.byFile.has(path))
  const resource = candidate ? links.byFile.get(candidate) : undefined
  if (resource && resource.role !== 'file' && resource.href === candidate) return hrefOfLesson(resource)
  return kind && kind !== 'IMS-CC-FILEBASE' && kind !== 'IMS_CC_FILEBASE' ? null : undefined
}

/** The first item of a module that becomes a lesson. */
const firstLessonResource = (item: ManifestItem | undefined, links: CartridgeLinks): ManifestResource | undefined =>
  flattenItems(item ? [item] : []).find(({ resource }) => resource && links.lessons.has(resource))?.resource
