import { writeFileSync } from 'node:fs'
import path from 'node:path/posix'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { embedOf } from '#lib/core/shared/embed.ts'
import { EMPTY_DOC, isSafeHref, type LessonDoc, type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import { docFromNodes, type HtmlReading } from '../html.ts'
import { type IncomingFile, type IncomingTask, Notes } from '../incoming.ts'
import { readHtml } from '../markup.ts'
import type { ImportedKind } from '../schema.ts'
import { atLeastAParagraph, linked, words } from '../text-blocks.ts'
import { prepared } from './markup.ts'

/** Finds what an address in a page of a package names: a path inside of the archive, and the name to keep it under. */
export type Finder = (address: string) => { path: string; name: string } | null

/** What the addresses in one text of a package mean. */
export interface References {
  file: Finder
  /** A link to another page of the package: its new address, null for what is not imported, undefined for all else. */
  page?(href: string): string | null | undefined
  /** The site that the package was made on: addresses without a host are read against it. */
  origin?: string
}

/** What the readers of other systems' packages share: files by their path in the archive, each once, notes, numbers. */
export class PackageReading {
  readonly notes = new Notes()
  readonly imported: Partial<Record<ImportedKind, number>> = {}
  readonly tasks: IncomingTask[] = []
  readonly #files = new Map<string, IncomingFile>()
  readonly #taken = new Set<string>()
  readonly #archive: Archive
  readonly #scratch: string

  constructor(archive: Archive, scratch: string) {
    this.#archive = archive
    this.#scratch = scratch
  }

  get files(): IncomingFile[] {
    return [...this.#files.values()]
  }

  /** Notes that a file of the archive was imported as text. */
  take(at: string): void {
    this.#taken.add(at)
  }

  /** Whether a file of the archive was imported. */
  hasTaken(at: string): boolean {
    return this.#taken.has(at)
  }

  count(kind: ImportedKind, by = 1): void {
    if (by > 0) this.imported[kind] = (this.imported[kind] ?? 0) + by
  }

  /** A page of HTML to blocks of a lesson; `title` names it in the notes. */
  text(html: string, title: string, references: References): LessonNode[] {
    const { origin } = references
    const nodes = prepared(readHtml(html).children, {
      link: (href) => this.#link(href, title, references),
      isImported: (src) => references.file(src) !== null || INLINE_IMAGE.test(src),
      source: (src) => absolute(src, references.file(src) ? undefined : origin),
    })
    const { content } = docFromNodes(nodes, this.reading(title, references.file))
    return isBlank({ type: 'doc', content }) ? [] : content
  }

  /** What a reading of one lesson's text does with addresses. */
  reading(title: string, find: Finder): HtmlReading {
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
  fileBlock(at: string, name: string): LessonNode {
    const file = this.#take(at, name, false)
    return { type: 'file', attrs: { fileId: file.id, name: name.slice(0, 200) || 'file' } }
  }

  /** The id under which a task of this reading offers a file. */
  fileId(at: string, name: string): string {
    return this.#take(at, name, false).id
  }

  /** The id of an image of the archive that no text shows. */
  pictureId(at: string, name: string): string {
    return this.#take(at, name, true).id
  }

  #link(address: string, title: string, { file, page, origin }: References): string | null {
    const href = address.trim()
    if (href === '' || href.startsWith('#')) return null
    const inside = page?.(href)
    if (typeof inside === 'string' || (inside === undefined && file(href))) return inside ?? href
    const found = inside === null ? null : outerHref(href, origin)
    if (found === null) this.notes.add('linkLost', title, { links: 1 })
    return found
  }

  #picture(src: string, find: Finder): string | null {
    const found = find(src)
    if (found) return srcOf(this.#take(found.path, found.name, true).id)
    const inline = INLINE_IMAGE.exec(src)
    if (inline) return srcOf(this.#takeInline(src.slice(inline[0].length), inline[1] ?? 'png'))
    if (isInside(src)) this.notes.add('pictureMissing', src, { files: 1 })
    else this.notes.add(/^https?:/i.test(src) ? 'pictureOutside' : 'pictureUnknown', src.slice(0, 200), { files: 1 })
    return null
  }

  #file(href: string, find: Finder): LessonNode | null {
    const found = find(href)
    return found ? this.fileBlock(found.path, found.name) : null
  }

  #take(at: string, name: string, redraw: boolean): IncomingFile {
    this.#taken.add(at)
    const key = `${redraw} ${at}`
    const known = this.#files.get(key)
    if (known) return known
    const place = this.#archive.placeOf(at)
    const file = { id: newId(), name: name.slice(-200) || 'file', description: '', redraw, place }
    this.#files.set(key, file)
    return file
  }

  /** An image that stands in the text itself, in base64. Texts are converted without waiting, in a process of their own. */
  #takeInline(data: string, extension: string): string {
    const known = this.#files.get(data)
    if (known) return known.id
    const id = newId()
    const name = `image-${this.#files.size + 1}.${extension}`
    const at = path.join(this.#scratch, id)
    writeFileSync(at, Buffer.from(data, 'base64'))
    const file = { id, name, description: '', redraw: true, place: { path: at } }
    this.#files.set(data, file)
    return file.id
  }
}

const INLINE_IMAGE = /^data:image\/(png|jpe?g|gif|webp|avif);base64,/i

/** An address with a scheme and a host of its own where it can have one. */
function absolute(address: string, origin: string | undefined): string {
  const src = address.trim()
  if (src.startsWith('//')) return `https:${src}`
  return src.startsWith('/') && origin ? (URL.parse(src, origin)?.href ?? src) : src
}

/** An address that a link of a lesson may have; null for one that leads nowhere outside of its package. */
function outerHref(href: string, origin: string | undefined): string | null {
  const address = absolute(href, origin)
  if (isInside(address) || address.startsWith('/')) return null
  if (isSafeHref(address)) return address
  const written = URL.parse(address)?.href ?? ''
  return isSafeHref(written) ? written : null
}

/** An address of another site becomes a frame where that is let in. */
export function embedBlock(address: string): LessonNode | null {
  const found = embedOf(address)
  return found ? { type: 'embed', attrs: { url: found.url } } : null
}

/** A lesson of one link: the frame of a film where there is one, else the link in words. */
export function linkText(address: string, title: string): LessonDoc {
  const block = embedBlock(address)
  const text = isSafeHref(address)
    ? words(title || address, linked([], address))
    : words(`${title} ${address}`.trim(), [])
  return { type: 'doc', content: [block ?? { type: 'paragraph', content: text }] }
}

export const docOf = (content: LessonNode[]): LessonDoc => ({ type: 'doc', content: atLeastAParagraph(content) })

/** Whether there is anything in a text. */
export const isBlank = ({ content }: LessonDoc): boolean =>
  content.every((node) => node.type === 'paragraph' && !node.content?.length)

export const lessonOf = (title: string, blocks: LessonDoc = EMPTY_DOC): BundleLesson => ({
  id: newId(),
  title: titleOf(title),
  blocks,
  published: null,
  durationMinutes: null,
  availability: { mode: 'open' },
  completionRule: { mode: 'manual' },
  freePreview: false,
  required: true,
  hidden: false,
})

export const moduleOf = (title: string, lessons: BundleLesson[], description = ''): BundleModule => ({
  id: newId(),
  title: titleOf(title),
  description: description.slice(0, 1000),
  lessons,
  availability: { mode: 'open' },
  hidden: false,
})

export const LONGEST_TITLE = 160

/** A title as a lesson may have one, whatever another system let pass. */
export function titleOf(title: string, otherwise = '…'): string {
  const clean = title.normalize().replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
  return [...clean.trim()].slice(0, LONGEST_TITLE).join('').slice(0, LONGEST_TITLE).toWellFormed().trim() || otherwise
}

/** Paths in the pages of a package are relative to the page and percent-encoded. Null for one that leads outside. */
export function innerPath(page: string, address: string): string | null {
  const [bare = ''] = address.split(/[?#]/)
  if (bare === '' || !isInside(address)) return null
  const joined = path.normalize(path.join(path.dirname(page), decoded(bare)))
  return joined.startsWith('../') || joined === '..' || path.isAbsolute(joined) ? null : joined
}

/** An address without a scheme or a host of its own. */
export const isInside = (address: string): boolean => !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)

export function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
