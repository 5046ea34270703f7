import path from 'node:path/posix'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive.ts'
import { embedOf } from '#lib/core/shared/embed.ts'
import type { BundleLesson, BundleModule } from './bundle-schema.ts'
import { docFromHtml } from './html.ts'
import { type IncomingFile, Notes } from './incoming.ts'
import { EMPTY_DOC, isSafeHref, type LessonDoc, type LessonNode, srcOf } from './schema.ts'
import { atLeastAParagraph, linked, words } from './text-blocks.ts'

/** Finds what an address in a page of a package names: a path inside of the archive, and the name to keep it under. */
export type Finder = (address: string) => { path: string; name: string } | null

/** What the readings of other systems' packages share: files by their path in the archive, each once, and notes. */
export class PackageReading {
  readonly notes = new Notes()
  readonly #files = new Map<string, IncomingFile>()
  readonly #archive: Archive

  constructor(archive: Archive) {
    this.#archive = archive
  }

  get files(): IncomingFile[] {
    return [...this.#files.values()]
  }

  /** A page of HTML to a lesson's text; `find` knows what its addresses mean. */
  text(html: string, title: string, find: Finder): LessonDoc {
    return docFromHtml(html, {
      picture: (src) => this.#picture(src, find),
      file: (href) => embedBlock(href) ?? this.#file(href, find),
      frame: (src) => {
        const block = embedBlock(src)
        if (!block) this.notes.add('frame', title)
        return block
      },
    })
  }

  /** A block that offers a file of the archive, or shows it, once it is known what it is. */
  fileBlock(at: string, name: string): LessonNode {
    const file = this.#take(at, name, false)
    return { type: 'file', attrs: { fileId: file.id, name: name.slice(0, 200) || 'file' } }
  }

  #picture(src: string, find: Finder): string | null {
    const found = find(src)
    if (!found) {
      if (isInside(src)) this.notes.add('pictureMissing', src)
      return null
    }
    return srcOf(this.#take(found.path, found.name, true).id)
  }

  #file(href: string, find: Finder): LessonNode | null {
    const found = find(href)
    return found ? this.fileBlock(found.path, found.name) : null
  }

  #take(at: string, name: string, redraw: boolean): IncomingFile {
    const key = `${redraw} ${at}`
    const known = this.#files.get(key)
    if (known) return known
    const extract = (to: string) => this.#archive.extract(at, to)
    const file = { id: newId(), name: name.slice(-200) || 'file', description: '', redraw, extract }
    this.#files.set(key, file)
    return file
  }
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
  ...{ id: newId(), title: titleOf(title), blocks, published: null, durationMinutes: null },
  ...{ availability: { mode: 'open' }, completionRule: { mode: 'manual' } },
  ...{ freePreview: false, required: true, hidden: false },
})

export const moduleOf = (title: string, lessons: BundleLesson[], description = ''): BundleModule => ({
  ...{ id: newId(), title: titleOf(title), description: description.slice(0, 1000), lessons },
  ...{ availability: { mode: 'open' }, hidden: false },
})

/** A title as a lesson may have one, whatever another system let pass. */
export function titleOf(title: string, otherwise = '…'): string {
  const clean = title.normalize().replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
  return [...clean.trim()].slice(0, 160).join('').slice(0, 160).toWellFormed().trim() || otherwise
}

/** Paths in the pages of a package are relative to the page and percent-encoded. Null for one that leads outside. */
export function innerPath(page: string, address: string): string | null {
  const [bare = ''] = address.split(/[?#]/)
  if (bare === '' || !isInside(address)) return null
  const joined = path.normalize(path.join(path.dirname(page), decoded(bare)))
  return joined.startsWith('../') || joined === '..' || path.isAbsolute(joined) ? null : joined
}

/** An address without a scheme or a host of its own. */
const isInside = (address: string): boolean => !/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address)

export function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
