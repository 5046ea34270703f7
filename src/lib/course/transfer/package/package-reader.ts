import { writeFileSync } from 'node:fs'
import path from 'node:path/posix'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { parseEmbed } from '#lib/core/shared/embed.ts'
import { EMPTY_DOC, isSafeHref, type LessonDoc, type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import { docFromNodes, type HtmlResolver } from '../html.ts'
import { type CourseFile, type ImportedTask, ImportNotes } from '../imported-course.ts'
import { parseHtml } from '../markup.ts'
import type { ImportedKind } from '../schema.ts'
import { ensureParagraph, textNodes, withLink } from '../text-blocks.ts'
import { prepareMarkup } from './markup.ts'

/** Resolves an address in a page of a package to a path inside the archive and a file name. */
export type FindPackageFile = (address: string) => { path: string; name: string } | null

/** Resolves the addresses in one document of a package. */
export interface AddressReferences {
  file: FindPackageFile
  /** A link to another page of the package: its new address, null if it is not imported, undefined for other links. */
  page?(href: string): string | null | undefined
  /** Origin of the source site: base of addresses without a host. */
  origin?: string
}

/** State shared by the package readers: files by path (each once), notes and counts. */
export class PackageReader {
  readonly notes = new ImportNotes()
  readonly imported: Partial<Record<ImportedKind, number>> = {}
  readonly tasks: ImportedTask[] = []
  readonly #files = new Map<string, CourseFile>()
  readonly #taken = new Set<string>()
  readonly #archive: Archive
  readonly #scratch: string

  constructor(archive: Archive, scratch: string) {
    this.#archive = archive
    this.#scratch = scratch
  }

  get files(): CourseFile[] {
    return [...this.#files.values()]
  }

  /** Marks a file of the archive as imported as text. */
  markTaken(archivePath: string): void {
    this.#taken.add(archivePath)
  }

  /** Whether a file of the archive was imported. */
  hasTaken(archivePath: string): boolean {
    return this.#taken.has(archivePath)
  }

  count(kind: ImportedKind, amount = 1): void {
    if (amount > 0) this.imported[kind] = (this.imported[kind] ?? 0) + amount
  }

  /** Converts an HTML page to blocks; `title` is used in the notes. */
  convertHtml(html: string, title: string, references: AddressReferences): LessonNode[] {
    const { origin } = references
    const nodes = prepareMarkup(parseHtml(html).children, {
      link: (href) => this.#link(href, title, references),
      isImported: (src) => references.file(src) !== null || INLINE_IMAGE.test(src),
      source: (src) => absoluteUrl(src, references.file(src) ? undefined : origin),
    })
    const { content } = docFromNodes(nodes, this.resolverFor(title, references.file))
    return isBlank({ type: 'doc', content }) ? [] : content
  }

  /** Resolver for the addresses of one document. */
  resolverFor(title: string, find: FindPackageFile): HtmlResolver {
    return {
      picture: (src) => this.#picture(src, find),
      file: (href) => embedBlock(href) ?? this.#file(href, find),
      frame: (src) => {
        const block = embedBlock(src) ?? this.#file(src, find)
        if (!block) this.notes.add('frame', title, { links: 1 })
        return block
      },
    }
  }

  /** A block for a file of the archive; its kind is detected after it is stored. */
  fileBlock(archivePath: string, name: string): LessonNode {
    const file = this.#take(archivePath, name, false)
    return { type: 'file', attrs: { fileId: file.id, name: name.slice(0, 200) || 'file' } }
  }

  /** Id of a file that a task offers. */
  fileId(archivePath: string, name: string): string {
    return this.#take(archivePath, name, false).id
  }

  /** Id of an image that no document shows. */
  pictureId(archivePath: string, name: string): string {
    return this.#take(archivePath, name, true).id
  }

  /** Id of an image that is embedded in a text. */
  inlinePictureId(key: string, name: string, bytes: Uint8Array): string {
    const known = this.#files.get(key)
    if (known) return known.id
    return this.#keepBytes(key, name, bytes).id
  }

  #link(address: string, title: string, { file, page, origin }: AddressReferences): string | null {
    const href = address.trim()
    if (href === '' || href.startsWith('#')) return null
    const inside = page?.(href)
    if (typeof inside === 'string' || (inside === undefined && file(href))) return inside ?? href
    const found = inside === null ? null : toOuterHref(href, origin)
    if (found === null) this.notes.add('linkLost', title, { links: 1 })
    return found
  }

  #picture(src: string, find: FindPackageFile): string | null {
    const href = find(src)
    if (href) return srcOf(this.#take(href.path, href.name, true).id)
    const inline = INLINE_IMAGE.exec(src)
    if (inline) return srcOf(this.#takeInline(src.slice(inline[0].length), inline[1] ?? 'png'))
    if (isPrivateHref(src)) this.notes.add('pictureMissing', src, { files: 1 })
    else this.notes.add(/^https?:/i.test(src) ? 'pictureOutside' : 'pictureUnknown', src.slice(0, 200), { files: 1 })
    return null
  }

  #file(href: string, find: FindPackageFile): LessonNode | null {
    const found = find(href)
    return found ? this.fileBlock(found.path, found.name) : null
  }

  #take(archivePath: string, name: string, redraw: boolean): CourseFile {
    this.#taken.add(archivePath)
    const key = `${redraw} ${archivePath}`
    const known = this.#files.get(key)
    if (known) return known
    const place = this.#archive.locate(archivePath)
    const file = { id: newId(), name: name.slice(-200) || 'file', description: '', redraw, source: place }
    this.#files.set(key, file)
    return file
  }

  /**
   * Extracts a base64 image of a document to a file. Synchronous, because documents are converted synchronously in a
   * worker process.
   */
  #takeInline(data: string, extension: string): string {
    const known = this.#files.get(data)
    if (known) return known.id
    const name = `image-${this.#files.size + 1}.${extension}`
    return this.#keepBytes(data, name, Buffer.from(data, 'base64')).id
  }

  #keepBytes(key: string, name: string, bytes: Uint8Array): CourseFile {
    const id = newId()
    const archivePath = path.join(this.#scratch, id)
    writeFileSync(archivePath, bytes)
    const file = { id, name, description: '', redraw: true, source: { path: archivePath } }
    this.#files.set(key, file)
    return file
  }
}

const INLINE_IMAGE = /^data:image\/(png|jpe?g|gif|webp|avif);base64,/i

/** Makes an address absolute where possible. */
function absoluteUrl(address: string, origin: string | undefined): string {
  const src = address.trim()
  if (src.startsWith('//')) return `https:${src}`
  return src.startsWith('/') && origin ? (URL.parse(src, origin)?.href ?? src) : src
}

/** The address that a lesson may link to; null for one without a target outside the package. */
function toOuterHref(href: string, origin: string | undefined): string | null {
  const address = absoluteUrl(href, origin)
  if (isPrivateHref(address) || address.startsWith('/')) return null
  if (isSafeHref(address)) return address
  const normalized = URL.parse(address)?.href ?? ''
  return isSafeHref(normalized) ? normalized : null
}

/** An embed block for an address of an allowed site. */
export function embedBlock(address: string): LessonNode | null {
  const embed = parseEmbed(address)
  return embed ? { type: 'embed', attrs: { url: embed.url } } : null
}

/** Document for one link: an embed where possible, else the link as text. */
export function linkText(address: string, title: string): LessonDoc {
  const block = embedBlock(address)
  const text = isSafeHref(address)
    ? textNodes(title || address, withLink([], address))
    : textNodes(`${title} ${address}`.trim(), [])
  return { type: 'doc', content: [block ?? { type: 'paragraph', content: text }] }
}

export const createDoc = (content: LessonNode[]): LessonDoc => ({ type: 'doc', content: ensureParagraph(content) })

/** Whether a document is empty. */
export const isBlank = ({ content }: LessonDoc): boolean =>
  content.every((node) => node.type === 'paragraph' && !node.content?.length)

export const createLesson = (title: string, blocks: LessonDoc = EMPTY_DOC): BundleLesson => ({
  id: newId(),
  title: cleanTitle(title),
  blocks,
  published: null,
  durationMinutes: null,
  availability: { mode: 'open' },
  completionRule: { mode: 'manual' },
  freePreview: false,
  required: true,
  hidden: false,
})

export const createModule = (title: string, lessons: BundleLesson[], description = ''): BundleModule => ({
  id: newId(),
  title: cleanTitle(title),
  description: description.slice(0, 1000),
  lessons,
  availability: { mode: 'open' },
  hidden: false,
})

export const MAX_TITLE_LENGTH = 160

/** Normalizes a title of another system to a valid lesson title. */
export function cleanTitle(title: string, fallback = '…'): string {
  const normalized = title.normalize().replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
  return (
    [...normalized.trim()].slice(0, MAX_TITLE_LENGTH).join('').slice(0, MAX_TITLE_LENGTH).toWellFormed().trim() ||
    fallback
  )
}

/** Resolves a percent-encoded path relative to a page. Null for a path outside the package. */
export function innerPath(pagePath: string, address: string): string | null {
  const [withoutFragment = ''] = address.split(/[?#]/)
  if (withoutFragment === '' || !isPrivateHref(address)) return null
  const resolved = path.normalize(path.join(path.dirname(pagePath), decodeUri(withoutFragment)))
  return resolved.startsWith('../') || resolved === '..' || path.isAbsolute(resolved) ? null : resolved
}

/** Whether an address has neither a scheme nor a host. */
export const isPrivateHref = (address: string): boolean => !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)

export function decodeUri(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
