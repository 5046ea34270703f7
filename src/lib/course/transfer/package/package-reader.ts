import { writeFileSync } from 'node:fs'
import path from 'node:path/posix'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { parseEmbed } from '#lib/core/shared/embed.ts'
import { EMPTY_DOC, isSafeHref, type LessonDoc, type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import { docFromNodes, type HtmlResolver } from '../html.ts'
import { type ImportedFile, type ImportedTask, ImportNotes } from '../imported-course.ts'
import { parseHtml } from '../markup.ts'
import type { ImportedKind } from '../schema.ts'
import { ensureParagraph, textNodes, withLink } from '../text-blocks.ts'
import { prepareMarkup } from './markup.ts'

/** Finds what an address in a page of a package names: a path inside of the archive, and the name to keep it under. */
export type FindFile = (address: string) => { path: string; name: string } | null

/** What the addresses in one text of a package mean. */
export interface AddressReferences {
  file: FindFile
  /** A link to another page of the package: its new address, null for what is not imported, undefined for all else. */
  page?(href: string): string | null | undefined
  /** The site that the package was made on: addresses without a host are read against it. */
  origin?: string
}

/** What the readers of other systems' packages share: files by their path in the archive, each once, notes, numbers. */
export class PackageReader {
  readonly notes = new ImportNotes()
  readonly imported: Partial<Record<ImportedKind, number>> = {}
  readonly tasks: ImportedTask[] = []
  readonly #files = new Map<string, ImportedFile>()
  readonly #taken = new Set<string>()
  readonly #archive: Archive
  readonly #scratch: string

  constructor(archive: Archive, scratch: string) {
    this.#archive = archive
    this.#scratch = scratch
  }

  get files(): ImportedFile[] {
    return [...this.#files.values()]
  }

  /** Notes that a file of the archive was imported as text. */
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

  /** A page of HTML to blocks of a lesson; `title` names it in the notes. */
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

  /** What a reading of one lesson's text does with addresses. */
  resolverFor(title: string, find: FindFile): HtmlResolver {
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

  /** A block that offers a file of the archive, or shows it, once it is known what it is. */
  fileBlock(archivePath: string, name: string): LessonNode {
    const file = this.#take(archivePath, name, false)
    return { type: 'file', attrs: { fileId: file.id, name: name.slice(0, 200) || 'file' } }
  }

  /** The id under which a task of this reading offers a file. */
  fileId(archivePath: string, name: string): string {
    return this.#take(archivePath, name, false).id
  }

  /** The id of an image of the archive that no text shows. */
  pictureId(archivePath: string, name: string): string {
    return this.#take(archivePath, name, true).id
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

  #picture(src: string, find: FindFile): string | null {
    const found = find(src)
    if (found) return srcOf(this.#take(found.path, found.name, true).id)
    const inline = INLINE_IMAGE.exec(src)
    if (inline) return srcOf(this.#takeInline(src.slice(inline[0].length), inline[1] ?? 'png'))
    if (isPrivateAddress(src)) this.notes.add('pictureMissing', src, { files: 1 })
    else this.notes.add(/^https?:/i.test(src) ? 'pictureOutside' : 'pictureUnknown', src.slice(0, 200), { files: 1 })
    return null
  }

  #file(href: string, find: FindFile): LessonNode | null {
    const found = find(href)
    return found ? this.fileBlock(found.path, found.name) : null
  }

  #take(archivePath: string, name: string, redraw: boolean): ImportedFile {
    this.#taken.add(archivePath)
    const key = `${redraw} ${archivePath}`
    const known = this.#files.get(key)
    if (known) return known
    const place = this.#archive.locate(archivePath)
    const file = { id: newId(), name: name.slice(-200) || 'file', description: '', redraw, source: place }
    this.#files.set(key, file)
    return file
  }

  /** An image that stands in the text itself, in base64. Texts are converted without waiting, in a process of their own. */
  #takeInline(data: string, extension: string): string {
    const known = this.#files.get(data)
    if (known) return known.id
    const id = newId()
    const name = `image-${this.#files.size + 1}.${extension}`
    const archivePath = path.join(this.#scratch, id)
    writeFileSync(archivePath, Buffer.from(data, 'base64'))
    const file = { id, name, description: '', redraw: true, source: { path: archivePath } }
    this.#files.set(data, file)
    return file.id
  }
}

const INLINE_IMAGE = /^data:image\/(png|jpe?g|gif|webp|avif);base64,/i

/** An address with a scheme and a host of its own where it can have one. */
function absoluteUrl(address: string, origin: string | undefined): string {
  const src = address.trim()
  if (src.startsWith('//')) return `https:${src}`
  return src.startsWith('/') && origin ? (URL.parse(src, origin)?.href ?? src) : src
}

/** An address that a link of a lesson may have; null for one that leads nowhere outside of its package. */
function toOuterHref(href: string, origin: string | undefined): string | null {
  const address = absoluteUrl(href, origin)
  if (isPrivateAddress(address) || address.startsWith('/')) return null
  if (isSafeHref(address)) return address
  const normalized = URL.parse(address)?.href ?? ''
  return isSafeHref(normalized) ? normalized : null
}

/** An address of another site becomes a frame where that is let in. */
export function embedBlock(address: string): LessonNode | null {
  const embed = parseEmbed(address)
  return embed ? { type: 'embed', attrs: { url: embed.url } } : null
}

/** A lesson of one link: the frame of a film where there is one, else the link in words. */
export function linkText(address: string, title: string): LessonDoc {
  const block = embedBlock(address)
  const text = isSafeHref(address)
    ? textNodes(title || address, withLink([], address))
    : textNodes(`${title} ${address}`.trim(), [])
  return { type: 'doc', content: [block ?? { type: 'paragraph', content: text }] }
}

export const createDoc = (content: LessonNode[]): LessonDoc => ({ type: 'doc', content: ensureParagraph(content) })

/** Whether there is anything in a text. */
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

/** A title as a lesson may have one, whatever another system let pass. */
export function cleanTitle(title: string, fallback = '…'): string {
  const normalized = title.normalize().replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
  return (
    [...normalized.trim()].slice(0, MAX_TITLE_LENGTH).join('').slice(0, MAX_TITLE_LENGTH).toWellFormed().trim() ||
    fallback
  )
}

/** Paths in the pages of a package are relative to the page and percent-encoded. Null for one that leads outside. */
export function innerPath(pagePath: string, address: string): string | null {
  const [withoutFragment = ''] = address.split(/[?#]/)
  if (withoutFragment === '' || !isPrivateAddress(address)) return null
  const resolved = path.normalize(path.join(path.dirname(pagePath), decodeUri(withoutFragment)))
  return resolved.startsWith('../') || resolved === '..' || path.isAbsolute(resolved) ? null : resolved
}

/** An address without a scheme or a host of its own. */
export const isPrivateAddress = (address: string): boolean => !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)

export function decodeUri(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
