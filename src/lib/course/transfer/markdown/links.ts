import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { fileOf } from '#lib/core/shared/lesson-doc.ts'
import { decodeUri, embedBlock, type PackageReader } from '../package/package-reader.ts'
import { lessonHref } from '../replace-ids.ts'
import type { MarkdownPage } from './page.ts'
import type { MarkdownResolver } from './wiki.ts'

const INDEX_FILES = ['README.md', 'readme.md', 'index.md', '_index.md', 'article.md']

/** Resolves the addresses in the pages of an archive. */
export class MarkdownLinks {
  readonly #pack: PackageReader
  readonly #pages: ReadonlyMap<string, MarkdownPage>
  readonly #names: ReadonlySet<string>
  /** Paths by file name, with and without the extension, in lower case: the shortest path of each. */
  readonly #byName = new Map<string, string>()
  readonly #root: string
  readonly #taken = new Set<string>()

  constructor(archive: Archive, pack: PackageReader, pages: readonly MarkdownPage[], root: string) {
    this.#pack = pack
    this.#root = root
    this.#names = new Set(archive.names)
    this.#pages = new Map(pages.map((page) => [page.path, page]))
    for (const name of [...archive.names].sort((a, b) => a.length - b.length)) {
      const base = path.basename(name).toLowerCase()
      for (const key of [base, base.replace(/\.[^.]+$/, ''), articleSlug(name)]) {
        if (key !== '' && !this.#byName.has(key)) this.#byName.set(key, name)
      }
    }
  }

  reading(page: MarkdownPage): MarkdownResolver {
    const find = (address: string) => this.#file(address, page)
    const basic = this.#pack.resolverFor(page.title, find)
    return {
      ...basic,
      file: (address) => embedBlock(address) ?? (find(address) ? basic.file(address) : null),
      link: (address) => this.#link(address, page),
      wikiAddress: (name) => this.#wikiAddress(name),
    }
  }

  /** The id of a cover image; null when the archive does not contain it. */
  cover(address: string, page: MarkdownPage): string | null {
    return fileOf(this.reading(page).picture(address) ?? '')
  }

  isTaken = (name: string): boolean => this.#taken.has(name)

  inside = (name: string): string => path.relative(this.#root || '.', name)

  #file(address: string, page: MarkdownPage): { path: string; name: string } | null {
    const match = this.#candidates(address, page).find(
      (candidate) => this.#names.has(candidate) && !this.#pages.has(candidate),
    )
    if (!match || /\.(?:md|markdown)$/i.test(match)) return null
    this.#taken.add(match)
    return { path: match, name: path.basename(match) }
  }

  #link(address: string, page: MarkdownPage): string | null {
    // The long articles of javascript.info refer to each other by `info:` and the name of the folder.
    const named = /^(?:info|task):(?:task\/)?([^#?]+)/.exec(address)?.[1]
    const slug = named && this.#byName.get(articleSlug(`${named}/article.md`))
    if (!slug && (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address) || address.startsWith('#'))) {
      return named ? this.#missing(address, page) : address.startsWith('#') ? null : address
    }
    const paths = slug ? [slug] : this.#candidates(address, page)
    const target = paths.map((candidate) => this.#pages.get(candidate)).find((candidate) => candidate !== undefined)
    return target ? lessonHref(target.id) : this.#missing(address, page)
  }

  #missing(address: string, page: MarkdownPage): null {
    this.#pack.notes.add('linkMissing', `${address} (${this.inside(page.path)})`)
    return null
  }

  #wikiAddress(name: string): string {
    const [bare = ''] = name.split('#')
    const match = this.#byName.get(path.basename(bare.trim()).toLowerCase())
    return match ? `/${encodeURI(this.inside(match))}` : encodeURI(bare.trim())
  }

  /** Paths that an address may refer to: the file itself, a page without its extension, the page of a folder. */
  #candidates(address: string, page: MarkdownPage): string[] {
    const [bare = ''] = address.split(/[?#]/)
    if (bare === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(bare)) return []
    const folder = path.dirname(page.path)
    return [...new Set([bare, decodeUri(bare)])].flatMap((candidate) => {
      const bases = candidate.startsWith('/')
        ? [path.join(this.#root, candidate), candidate.slice(1)]
        : [path.join(folder, candidate)]
      return bases.flatMap((base) => {
        const at = path.normalize(base).replace(/\/$/, '')
        return [at, `${at}.md`, ...INDEX_FILES.map((index) => path.join(at, index))]
      })
    })
  }
}

/** The folder name of an article without the leading number. */
const articleSlug = (name: string): string =>
  /(?:^|\/)(?:article|task)\.md$/i.test(name)
    ? `${path.basename(path.dirname(name)).replace(/^\d+-/, '').toLowerCase()}/`
    : ''
