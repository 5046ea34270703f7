import path from 'node:path/posix'
import { childAt, childrenOf, type MarkupElement, textAtPath } from '../markup.ts'
import { decodeUri } from '../package/package-reader.ts'
import type { NoteKind } from '../schema.ts'

export interface ManifestResource {
  id: string
  role: ResourceRole
  href: string
  files: string[]
  /** Resources that belong to this one: settings, or older variants for other systems. */
  parts: ManifestResource[]
}

/** How a resource is imported, or the kind of its note. */
export type ResourceRole =
  | 'page'
  | 'link'
  | 'assignment'
  | 'file'
  | Extract<NoteKind, (typeof LISTED_PATTERNS)[number][1] | 'settings'>

export interface ManifestItem {
  id: string
  title: string
  resource: ManifestResource | undefined
  children: ManifestItem[]
}

export interface CartridgeManifest {
  title: string
  description: string
  /** All resources in order, without those that are part of another. */
  resources: ManifestResource[]
  /** Number of all resources. */
  found: number
  items: ManifestItem[]
}

const LISTED_PATTERNS = [
  [/question-bank|\.qti$/, 'questionBank'],
  [/^imsqti|\/assessment$/, 'quiz'],
  [/^imsdt_/, 'forum'],
  [/^imsbasiclti_/, 'lti'],
] as const

/** The outline and the resources of a manifest. Namespaces differ from version to version, names do not. */
export function parseManifest(manifest: MarkupElement): CartridgeManifest {
  const general = childAt(manifest, 'metadata', 'lom', 'general')
  const organization = childAt(manifest, 'organizations', 'organization')
  const { all, topLevel } = parseResources(childrenOf(childAt(manifest, 'resources'), 'resource'))
  return {
    title: textAtPath(general, 'title', 'string') || textAtPath(organization, 'title'),
    description: textAtPath(general, 'description', 'string'),
    resources: topLevel,
    found: all.size,
    items: childrenOf(organization, 'item').map((item) => parseItem(item, all)),
  }
}

function parseItem(item: MarkupElement, resources: ReadonlyMap<string, ManifestResource>): ManifestItem {
  const { identifier = '', identifierref = '' } = item.attributes
  return {
    id: identifier,
    title: textAtPath(item, 'title'),
    resource: resources.get(identifierref),
    children: childrenOf(item, 'item').map((child) => parseItem(child, resources)),
  }
}

function parseResources(elements: readonly MarkupElement[]) {
  const all = new Map<string, ManifestResource>()
  for (const element of elements) {
    const resource = parseResource(element)
    all.set(resource.id, resource)
  }
  const parts = new Map<ManifestResource, ManifestResource>()
  for (const element of elements) {
    const resource = all.get(element.attributes.identifier ?? '')
    if (!resource) continue
    for (const { attributes } of childrenOf(element, 'variant')) {
      const preferred = all.get(attributes.identifierref ?? '')
      if (preferred && preferred !== resource) parts.set(resource, preferred)
    }
    for (const { attributes } of childrenOf(element, 'dependency')) {
      const dependency = all.get(attributes.identifierref ?? '')
      if (dependency && dependency !== resource && dependency.role === 'settings') parts.set(dependency, resource)
    }
  }
  const topLevel = [...all.values()].filter((resource) => !parts.has(resource))
  for (const [part, owner] of parts) rootOf(owner, parts).parts.push(part)
  // The outline may refer to a variant instead of the preferred resource.
  for (const [part, owner] of parts) all.set(part.id, rootOf(owner, parts))
  return { all, topLevel: topLevel.length > 0 ? topLevel : [...all.values()] }
}

/** Parts may be nested; a cycle ends at its first element. */
function rootOf(resource: ManifestResource, parts: ReadonlyMap<ManifestResource, ManifestResource>): ManifestResource {
  const seen = new Set<ManifestResource>()
  let root = resource
  for (let next = parts.get(root); next && !seen.has(next); next = parts.get(root)) {
    seen.add(root)
    root = next
  }
  return root
}

function parseResource(element: MarkupElement): ManifestResource {
  const { identifier = '', type = '', href = '' } = element.attributes
  const base = element.attributes['xml:base'] ?? element.attributes.base ?? ''
  const resolvePath = (relativePath: string) => path.normalize(path.join(base, decodeUri(relativePath)))
  const files = childrenOf(element, 'file').flatMap(({ attributes }) =>
    attributes.href ? [resolvePath(attributes.href)] : [],
  )
  const mainFile = href ? resolvePath(href) : (files[0] ?? '')
  return {
    id: identifier,
    role: roleOf(type, mainFile, files),
    href: mainFile,
    files: filesWith(files, mainFile),
    parts: [],
  }
}

const filesWith = (files: readonly string[], main: string): string[] => [
  ...new Set(main === '' ? files : [main, ...files]),
]

function roleOf(type: string, href: string, files: readonly string[]): ResourceRole {
  const listedRole = LISTED_PATTERNS.find(([pattern]) => pattern.test(type) || pattern.test(href))?.[1]
  if (listedRole) return listedRole
  if (/^imswl_/.test(type)) return 'link'
  const isCanvas = files.some((file) => path.basename(file) === 'assignment_settings.xml')
  if (isCanvas || /^assignment_/.test(type)) return 'assignment'
  if (/\.x?html?$/i.test(href)) return 'page'
  return /associatedcontent|learning-application-resource/.test(type) && /\.(xml|txt)$/i.test(href)
    ? 'settings'
    : 'file'
}
