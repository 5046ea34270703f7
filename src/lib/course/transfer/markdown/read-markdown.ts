import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import type { Incoming } from '../incoming.ts'
import { textOf } from '../markup.ts'
import { docOf, isBlank, lessonOf, moduleOf, PackageReading, titleOf } from '../package/reading.ts'
import { CourseFront, LessonFront } from '../read-course-folder.ts'
import { CONTENTS_FILES, readContents } from './contents.ts'
import { frontMatterOf, textIn } from './front-matter.ts'
import { MarkdownLinks } from './links.ts'
import { docFromMarkdown } from './markdown.ts'
import { type MarkdownModule, modulesByContents, modulesByFolder } from './outline.ts'
import { type MarkdownPage, pageOf, readable } from './page.ts'

const PAGE = /\.(?:md|markdown)$/i
/** Pages about a repository, not of its course. */
const ABOUT =
  /^(?:license|licence|contributing|code_of_conduct|security|support|changelog|authors|contributors|maintainers|pull_request_template|issue_template|translations?)$/i
const TRANSLATIONS = /^(?:translations|i18n|locales)$/i
/** Bytes of one page. */
const LARGEST = 5 * 1024 ** 2

/** Whether an archive holds pages of Markdown. */
export const isMarkdown = ({ names }: Archive): boolean => names.some((name) => PAGE.test(name) && !isHidden(name))

/**
 * Any folder of Markdown: folders become modules, pages lessons, in the order of a table of contents (SUMMARY.md,
 * _toc.yml, mkdocs.yml), of the front matter, or of the names. A `course.md` describes the course, a `module.md` its
 * module, as in docs/sample-course. Links between pages lead to the lessons; what is missing is noted.
 */
export async function readMarkdown(archive: Archive, file: { name: string }, scratch: string): Promise<Incoming> {
  const names = archive.names.filter((name) => !isHidden(name))
  const root = rootOf(names)
  const pack = new PackageReading(archive, scratch)
  const pages = await pagesOf(archive, names, root, pack)
  const about = pages.find(({ path: at }) => /^course\.md$/i.test(path.relative(root || '.', at)))
  const front = CourseFront.safeParse(about?.head)
  const title = front.data?.title ?? (await bookTitle(archive, names)) ?? titleWithout(pages, root, file.name)
  const read = pages.filter((page) => page !== about && !/(?:^|\/)module\.md$/i.test(page.path))
  const contents = await contentsOf(archive, names)
  const modules = contents ? modulesByContents(read, contents, title) : modulesByFolder(read, title)
  const links = new MarkdownLinks(archive, pack, pages, root)
  const described = modules.flatMap((one) => moduleFrom(one, pages, links, pack))
  const cover = front.data?.cover && about ? links.cover(front.data.cover, about) : null
  const description = about && about.body !== '' ? docFromMarkdown(about.body, links.reading(about)) : null
  noteHidden(archive.names, pack)
  noteUnused(names, links, pack)
  return {
    format: 'markdown',
    course: {
      title: titleOf(title),
      shortDescription: front.data?.shortDescription ?? '',
      description,
      ...(front.data ? { language: front.data.language, level: front.data.level ?? null } : {}),
      ...(cover ? { coverFileId: cover } : {}),
    },
    modules: described,
    files: pack.files,
    notes: pack.notes.list,
    more: null,
  }
}

const HIDDEN = /(?:^|\/)(\.[^/]*|node_modules|_build|__MACOSX)(?:\/|$)/

/** What the tools around a course keep beside it, and what they made of it. */
const isHidden = (name: string): boolean => HIDDEN.test(name)

/** The folder that holds everything; empty when there is none. */
function rootOf(names: readonly string[]): string {
  const [first = ''] = names
  const steps = first.split('/').slice(0, -1)
  let depth = steps.length
  for (const name of names) {
    while (depth > 0 && !name.startsWith(`${steps.slice(0, depth).join('/')}/`)) depth -= 1
  }
  return steps.slice(0, depth).join('/')
}

async function pagesOf(archive: Archive, names: readonly string[], root: string, { notes }: PackageReading) {
  const pages: MarkdownPage[] = []
  const skipped = new Map<string, number>()
  const paths = names.filter((name) => PAGE.test(name) && !CONTENTS_FILES.test(name))
  const folders = new Set(paths.map((name) => path.dirname(name)))
  for (const at of paths) {
    const inside = path.relative(root || '.', at)
    const translation = inside
      .split('/')
      .slice(0, -1)
      .find((name) => TRANSLATIONS.test(name))
    const base = path.basename(at).replace(/\.[^.]+$/, '')
    if (translation || ABOUT.test(base)) {
      const key = translation ? `${translation}/` : path.basename(at)
      skipped.set(key, (skipped.get(key) ?? 0) + 1)
    } else if (archive.sizeOf(at) > LARGEST) notes.add('fileRefused', at)
    else {
      const source = textOf((await archive.read(at)) ?? Buffer.alloc(0))
      if (frontMatterOf(source).damaged) notes.add('frontMatter', at)
      pages.push(pageOf(at, root, source, folders))
    }
  }
  for (const [key, count] of skipped) notes.add('pagesSkipped', count > 1 ? `${key} (${count})` : key)
  return pages
}

async function contentsOf(archive: Archive, names: readonly string[]) {
  const tables = names
    .filter((name) => CONTENTS_FILES.test(name))
    .sort((a, b) => a.split('/').length - b.split('/').length)
  for (const table of tables) {
    const entries = readContents(table, textOf((await archive.read(table)) ?? Buffer.alloc(0)))
    if (entries.length > 0) return entries
  }
  return null
}

/** The name of a site of MkDocs. */
async function bookTitle(archive: Archive, names: readonly string[]): Promise<string | null> {
  const at = names.find((name) => /(?:^|\/)mkdocs\.ya?ml$/i.test(name))
  if (!at) return null
  const line = /^site_name:[ \t]*(\S.*)$/m.exec(textOf((await archive.read(at)) ?? Buffer.alloc(0)))?.[1]
  return line ? textIn(frontMatterOf(`---\nname: ${line}\n---\n`).head, 'name') || null : null
}

function titleWithout(pages: readonly MarkdownPage[], root: string, fileName: string): string {
  const index = pages.find(({ folders, isIndex }) => isIndex && folders.length === 0)
  const named = path.basename(root) || fileName.replace(/\.(?:zip|tar\.gz|tgz)$/i, '')
  return index && !/^(?:readme|index)$/i.test(index.title) ? index.title : readable(named)
}

function moduleFrom(
  { title, pages }: MarkdownModule,
  all: readonly MarkdownPage[],
  links: MarkdownLinks,
  pack: PackageReading,
): BundleModule[] {
  const lessons = pages.flatMap((page) => lessonFrom(page, links, pack))
  if (lessons.length === 0) return []
  const folder = pages[0]?.folders.join('/')
  const about = all.find((page) => /(?:^|\/)module\.md$/i.test(page.path) && page.folders.join('/') === folder)
  return [moduleOf(about?.title ?? title, lessons, about?.body)]
}

function lessonFrom(page: MarkdownPage, links: MarkdownLinks, pack: PackageReading): BundleLesson[] {
  const blocks = docFromMarkdown(page.body, links.reading(page))
  if (isBlank(blocks)) {
    pack.notes.add('empty', page.title)
    return []
  }
  const minutes = LessonFront.shape.minutes.safeParse(page.head.minutes).data ?? null
  return [{ ...lessonOf(page.title, docOf(blocks.content)), id: page.id, durationMinutes: minutes }]
}

/** Pages in hidden folders, counted by folder; what macOS adds to an archive is no page. */
function noteHidden(names: readonly string[], { notes }: PackageReading): void {
  const pages = names.filter((name) => PAGE.test(name) && isHidden(name) && !name.includes('__MACOSX/'))
  const folders = pages.map((name) => HIDDEN.exec(name)?.[1] ?? '')
  for (const [folder, own] of Map.groupBy(folders, (folder) => folder)) {
    notes.add('pagesSkipped', `${folder}/ (${own.length})`)
  }
}

/** Files beside the pages that no page shows or offers, counted by folder and kind. */
function noteUnused(names: readonly string[], links: MarkdownLinks, { notes }: PackageReading): void {
  const counts = new Map<string, number>()
  for (const name of names) {
    if (PAGE.test(name) || CONTENTS_FILES.test(name) || links.isTaken(name)) continue
    const key = `${links.inside(name).split('/').slice(0, -1)[0] ?? ''}/*${path.extname(name)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const [key, count] of counts) notes.add('filesUnused', `${key} (${count})`)
}
