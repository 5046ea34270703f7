import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import type { BundleLesson, BundleModule } from '../bundle-schema.ts'
import type { ImportedCourse } from '../imported-course.ts'
import { decodeMarkupText } from '../markup.ts'
import { cleanTitle, createDoc, createLesson, createModule, isBlank, PackageReader } from '../package/package-reader.ts'
import { CourseFrontMatter, LessonFrontMatter } from '../read-course-folder.ts'
import { CONTENTS_FILES, readContents } from './contents.ts'
import { parseFrontMatter, textField } from './front-matter.ts'
import { MarkdownLinks } from './links.ts'
import { docFromMarkdown } from './markdown.ts'
import { type MarkdownModule, modulesByContents, modulesByFolder } from './outline.ts'
import { type MarkdownPage, parsePage, readableTitle } from './page.ts'

const PAGE_FILE = /\.(?:md|markdown)$/i
/** Pages about the repository instead of the course. */
const REPOSITORY_PAGE =
  /^(?:license|licence|contributing|code_of_conduct|security|support|changelog|authors|contributors|maintainers|pull_request_template|issue_template|translations?)$/i
const TRANSLATIONS = /^(?:translations|i18n|locales)$/i
/** Maximum size of one page in bytes. */
const MAX_PAGE_BYTES = 5 * 1024 ** 2

/** Whether an archive contains Markdown pages. */
export const isMarkdown = ({ names }: Archive): boolean => names.some((name) => PAGE_FILE.test(name) && !isHidden(name))

/**
 * Converts a folder of Markdown: folders become modules, pages become lessons, in the order of a table of contents
 * (SUMMARY.md, _toc.yml, mkdocs.yml), of the front matter, or of the names. A `course.md` describes the course, a
 * `module.md` its module, as in docs/sample-course. Links between pages become links between lessons; missing files are
 * noted.
 */
export async function readMarkdown(archive: Archive, file: { name: string }, scratch: string): Promise<ImportedCourse> {
  const names = archive.names.filter((name) => !isHidden(name))
  const root = commonFolder(names)
  const reader = new PackageReader(archive, scratch)
  const pages = await loadPages(archive, names, root, reader)
  const coursePage = pages.find(({ path: filePath }) => /^course\.md$/i.test(path.relative(root || '.', filePath)))
  const front = CourseFrontMatter.safeParse(coursePage?.head)
  const title = front.data?.title ?? (await readSiteTitle(archive, names)) ?? fallbackTitle(pages, root, file.name)
  const lessonPages = pages.filter((page) => page !== coursePage && !/(?:^|\/)module\.md$/i.test(page.path))
  const contents = await loadMarkdownFiles(archive, names)
  const modules = contents ? modulesByContents(lessonPages, contents, title) : modulesByFolder(lessonPages, title)
  const links = new MarkdownLinks(archive, reader, pages, root)
  const bundleModules = modules.flatMap((module) => toModule(module, pages, links, reader))
  const cover = front.data?.cover && coursePage ? links.cover(front.data.cover, coursePage) : null
  const description =
    coursePage && coursePage.body !== '' ? docFromMarkdown(coursePage.body, links.reading(coursePage)) : null
  noteHidden(archive.names, reader)
  noteUnused(names, links, reader)
  return {
    format: 'markdown',
    course: {
      title: cleanTitle(title),
      shortDescription: front.data?.shortDescription ?? '',
      description,
      ...(front.data ? { language: front.data.language, level: front.data.level ?? null } : {}),
      ...(cover ? { coverFileId: cover } : {}),
    },
    modules: bundleModules,
    files: reader.files,
    notes: reader.notes.list,
    bundleJson: null,
  }
}

const HIDDEN_PATH = /(?:^|\/)(\.[^/]*|node_modules|_build|__MACOSX)(?:\/|$)/

/** Files of tools, and the output that they generate. */
const isHidden = (name: string): boolean => HIDDEN_PATH.test(name)

/** The folder that contains all files; empty when there is none. */
function commonFolder(names: readonly string[]): string {
  const [first = ''] = names
  const folders = first.split('/').slice(0, -1)
  let depth = folders.length
  for (const name of names) {
    while (depth > 0 && !name.startsWith(`${folders.slice(0, depth).join('/')}/`)) depth -= 1
  }
  return folders.slice(0, depth).join('/')
}

async function loadPages(archive: Archive, names: readonly string[], root: string, { notes }: PackageReader) {
  const pages: MarkdownPage[] = []
  const skipped = new Map<string, number>()
  const paths = names.filter((name) => PAGE_FILE.test(name) && !CONTENTS_FILES.test(name))
  const folders = new Set(paths.map((name) => path.dirname(name)))
  for (const filePath of paths) {
    const relativePath = path.relative(root || '.', filePath)
    const translation = relativePath
      .split('/')
      .slice(0, -1)
      .find((name) => TRANSLATIONS.test(name))
    const base = path.basename(filePath).replace(/\.[^.]+$/, '')
    if (translation || REPOSITORY_PAGE.test(base)) {
      const key = translation ? `${translation}/` : path.basename(filePath)
      skipped.set(key, (skipped.get(key) ?? 0) + 1)
    } else if (archive.sizeOf(filePath) > MAX_PAGE_BYTES) notes.add('fileRefused', filePath)
    else {
      const source = decodeMarkupText((await archive.read(filePath)) ?? Buffer.alloc(0))
      if (parseFrontMatter(source).isDamaged) notes.add('frontMatter', filePath)
      pages.push(parsePage(filePath, root, source, folders))
    }
  }
  for (const [key, count] of skipped) notes.add('pagesSkipped', count > 1 ? `${key} (${count})` : key)
  return pages
}

async function loadMarkdownFiles(archive: Archive, names: readonly string[]) {
  const contentsFiles = names
    .filter((name) => CONTENTS_FILES.test(name))
    .sort((a, b) => a.split('/').length - b.split('/').length)
  for (const contentsFile of contentsFiles) {
    const entries = readContents(contentsFile, decodeMarkupText((await archive.read(contentsFile)) ?? Buffer.alloc(0)))
    if (entries.length > 0) return entries
  }
  return null
}

/** The name of a site of MkDocs. */
async function readSiteTitle(archive: Archive, names: readonly string[]): Promise<string | null> {
  const configPath = names.find((name) => /(?:^|\/)mkdocs\.ya?ml$/i.test(name))
  if (!configPath) return null
  const line = /^site_name:[ \t]*(\S.*)$/m.exec(
    decodeMarkupText((await archive.read(configPath)) ?? Buffer.alloc(0)),
  )?.[1]
  return line ? textField(parseFrontMatter(`---\nname: ${line}\n---\n`).head, 'name') || null : null
}

function fallbackTitle(pages: readonly MarkdownPage[], root: string, fileName: string): string {
  const index = pages.find(({ folders, isIndex }) => isIndex && folders.length === 0)
  const fallbackName = path.basename(root) || fileName.replace(/\.(?:zip|tar\.gz|tgz)$/i, '')
  return index && !/^(?:readme|index)$/i.test(index.title) ? index.title : readableTitle(fallbackName)
}

function toModule(
  { title, pages }: MarkdownModule,
  allPages: readonly MarkdownPage[],
  links: MarkdownLinks,
  reader: PackageReader,
): BundleModule[] {
  const lessons = pages.flatMap((page) => toLesson(page, links, reader))
  if (lessons.length === 0) return []
  const folder = pages[0]?.folders.join('/')
  const modulePage = allPages.find(
    (page) => /(?:^|\/)module\.md$/i.test(page.path) && page.folders.join('/') === folder,
  )
  return [createModule(modulePage?.title ?? title, lessons, modulePage?.body)]
}

function toLesson(page: MarkdownPage, links: MarkdownLinks, reader: PackageReader): BundleLesson[] {
  const blocks = docFromMarkdown(page.body, links.reading(page))
  if (isBlank(blocks)) {
    reader.notes.add('empty', page.title)
    return []
  }
  const minutes = LessonFrontMatter.shape.minutes.safeParse(page.head.minutes).data ?? null
  return [{ ...createLesson(page.title, createDoc(blocks.content)), id: page.id, durationMinutes: minutes }]
}

/** Notes pages in hidden folders, counted by folder; files that macOS adds to an archive are ignored. */
function noteHidden(names: readonly string[], { notes }: PackageReader): void {
  const pages = names.filter((name) => PAGE_FILE.test(name) && isHidden(name) && !name.includes('__MACOSX/'))
  const folders = pages.map((name) => HIDDEN_PATH.exec(name)?.[1] ?? '')
  for (const [folder, folderPages] of Map.groupBy(folders, (folder) => folder)) {
    notes.add('pagesSkipped', `${folder}/ (${folderPages.length})`)
  }
}

/** Notes files that no page shows or links to, counted by folder and kind. */
function noteUnused(names: readonly string[], links: MarkdownLinks, { notes }: PackageReader): void {
  const counts = new Map<string, number>()
  for (const name of names) {
    if (PAGE_FILE.test(name) || CONTENTS_FILES.test(name) || links.isTaken(name)) continue
    const key = `${links.inside(name).split('/').slice(0, -1)[0] ?? ''}/*${path.extname(name)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const [key, count] of counts) notes.add('filesUnused', `${key} (${count})`)
}
