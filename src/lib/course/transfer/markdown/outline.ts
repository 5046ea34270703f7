import type { ContentsEntry } from './contents.ts'
import { type MarkdownPage, readableTitle } from './page.ts'

export interface MarkdownModule {
  title: string
  pages: MarkdownPage[]
}

/** Names of folders that are only containers and are not used as titles. */
const GENERIC_FOLDERS = new Set(
  'lessons docs doc content contents src pages book chapters source sources en uk md'.split(' '),
)
/** A course with more modules is divided by its top-level folders only. */
const MAX_MODULES = 200
const naturalOrder = new Intl.Collator('uk', { numeric: true })

/**
 * Pages by folders: each folder with several pages becomes a module, a folder with one page a lesson of its parent
 * folder. Sorted by the front matter, then by name in natural order; the index page of a folder is first.
 */
export function modulesByFolder(pages: readonly MarkdownPage[], courseTitle: string): MarkdownModule[] {
  const tree = folderTree(pages)
  const sorted = [...pages].sort((a, b) => comparePages(a, b, tree))
  const keys = sorted.map((page) => moduleFolder(page, tree))
  const fitsLimit = new Set(keys).size <= MAX_MODULES
  const modules = new Map<string, MarkdownModule>()
  for (const [index, page] of sorted.entries()) {
    const key = fitsLimit ? (keys[index] ?? '') : (page.folders[0] ?? '')
    const module = modules.get(key) ?? { title: titleOfFolder(key, tree) || courseTitle, pages: [] }
    module.pages.push(page)
    modules.set(key, module)
  }
  return [...modules.values()]
}

/**
 * Pages by a table of contents: an entry with nested entries becomes a module, adjacent entries without nested ones
 * become a module with the name of the course. Pages that are not listed follow by their folders.
 */
export function modulesByContents(
  pages: readonly MarkdownPage[],
  contents: readonly ContentsEntry[],
  courseTitle: string,
): MarkdownModule[] {
  const remaining = new Map(pages.map((page) => [page.path, page]))
  const modules: MarkdownModule[] = []
  let looseModule: MarkdownModule | null = null
  for (const entry of contents) {
    const entryPages = takePages(entry, remaining)
    if (entryPages.length === 0) continue
    if (entry.children.length > 0) {
      modules.push({ title: entry.title || entryPages[0]?.title || courseTitle, pages: entryPages })
      looseModule = null
    } else {
      if (!looseModule) {
        looseModule = { title: courseTitle, pages: [] }
        modules.push(looseModule)
      }
      looseModule.pages.push(...entryPages)
    }
  }
  return [...modules, ...modulesByFolder([...remaining.values()], courseTitle)]
}

/** The pages of an entry and of its nested entries, each once. */
function takePages({ title, path, children }: ContentsEntry, remaining: Map<string, MarkdownPage>): MarkdownPage[] {
  const page = path === null ? undefined : remaining.get(path)
  if (page) remaining.delete(page.path)
  const ownPage = page ? [{ ...page, title: title || page.title }] : []
  return [...ownPage, ...children.flatMap((child) => takePages(child, remaining))]
}

interface FolderNode {
  /** Number of pages in the folder and its subfolders. */
  size: number
  index: MarkdownPage | null
}

type FolderTree = ReadonlyMap<string, FolderNode>

function folderTree(pages: readonly MarkdownPage[]): FolderTree {
  const tree = new Map<string, FolderNode>()
  for (const page of pages) {
    for (let depth = 0; depth <= page.folders.length; depth += 1) {
      const key = page.folders.slice(0, depth).join('/')
      const node = tree.get(key) ?? { size: 0, index: null }
      node.size += 1
      if (page.isIndex && depth === page.folders.length) node.index ??= page
      tree.set(key, node)
    }
  }
  return tree
}

function moduleFolder({ folders }: MarkdownPage, tree: FolderTree): string {
  for (let depth = 1; depth <= folders.length; depth += 1) {
    const node = tree.get(folders.slice(0, depth).join('/'))
    const isLesson = node?.size === 1 || /(?:^|\/)article\.md$/i.test(node?.index?.path ?? '')
    if (isLesson) return folders.slice(0, depth - 1).join('/')
  }
  return folders.join('/')
}

function titleOfFolder(key: string, tree: FolderTree): string {
  const folders = key === '' ? [] : key.split('/')
  const titles = folders.flatMap((name, index) => {
    const page = tree.get(folders.slice(0, index + 1).join('/'))?.index
    if (page) return [page.title]
    return GENERIC_FOLDERS.has(name.toLowerCase()) && folders.length > 1 ? [] : [readableTitle(name)]
  })
  return titles.join(' · ')
}

function comparePages(a: MarkdownPage, b: MarkdownPage, tree: FolderTree): number {
  const [left, right] = [pathSteps(a), pathSteps(b)]
  let depth = 0
  while (left[depth] === right[depth] && depth < Math.min(left.length, right.length) - 1) depth += 1
  const [leftEnds, rightEnds] = [depth === left.length - 1, depth === right.length - 1]
  // The index page of a folder precedes all other content of the folder.
  if (leftEnds && a.isIndex) return rightEnds && b.isIndex ? naturalOrder.compare(a.path, b.path) : -1
  if (rightEnds && b.isIndex) return 1
  const weights = [weightAtDepth(a, left, depth, tree), weightAtDepth(b, right, depth, tree)] as const
  return (
    compareWeights(...weights) ||
    naturalOrder.compare(left[depth] ?? '', right[depth] ?? '') ||
    naturalOrder.compare(a.path, b.path)
  )
}

/** Folders of a page followed by its own name; empty for an index page. */
const pathSteps = (page: MarkdownPage): string[] => [
  ...page.folders,
  page.isIndex ? '' : page.path.slice(page.path.lastIndexOf('/') + 1),
]

function weightAtDepth(page: MarkdownPage, steps: string[], depth: number, tree: FolderTree): number | null {
  if (depth === steps.length - 1) return page.weight
  return tree.get(steps.slice(0, depth + 1).join('/'))?.index?.weight ?? null
}

function compareWeights(left: number | null, right: number | null): number {
  if (left === right) return 0
  if (left === null) return 1
  return right === null ? -1 : left - right
}
