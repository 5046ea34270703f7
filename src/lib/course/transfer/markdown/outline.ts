import type { ContentsEntry } from './contents.ts'
import { type MarkdownPage, readable } from './page.ts'

export interface MarkdownModule {
  title: string
  pages: MarkdownPage[]
}

/** Folders that only hold others: their names say nothing. */
const GENERIC = new Set('lessons docs doc content contents src pages book chapters source sources en uk md'.split(' '))
/** A course of more modules is divided by its first folders only. */
const MOST_MODULES = 200
const natural = new Intl.Collator('uk', { numeric: true })

/**
 * Pages by folders: each folder that holds several pages becomes a module, a folder of one page is a lesson of the folder
 * around it. In the order of the front matter, then of the names as a person counts them; a folder's own page is first.
 */
export function modulesByFolder(pages: readonly MarkdownPage[], courseTitle: string): MarkdownModule[] {
  const tree = folderTree(pages)
  const sorted = [...pages].sort((a, b) => compare(a, b, tree))
  const keys = sorted.map((page) => moduleFolder(page, tree))
  const few = new Set(keys).size <= MOST_MODULES
  const modules = new Map<string, MarkdownModule>()
  for (const [at, page] of sorted.entries()) {
    const key = few ? (keys[at] ?? '') : (page.folders[0] ?? '')
    const known = modules.get(key) ?? { title: titleOfFolder(key, tree) || courseTitle, pages: [] }
    known.pages.push(page)
    modules.set(key, known)
  }
  return [...modules.values()]
}

/**
 * Pages by a table of contents: what has entries below it becomes a module, entries in a row without any make one of the
 * course's name. Pages that it does not name follow by their folders.
 */
export function modulesByContents(
  pages: readonly MarkdownPage[],
  contents: readonly ContentsEntry[],
  courseTitle: string,
): MarkdownModule[] {
  const left = new Map(pages.map((page) => [page.path, page]))
  const modules: MarkdownModule[] = []
  let loose: MarkdownModule | null = null
  for (const entry of contents) {
    const taken = takePages(entry, left)
    if (taken.length === 0) continue
    if (entry.children.length > 0) {
      modules.push({ title: entry.title || taken[0]?.title || courseTitle, pages: taken })
      loose = null
    } else {
      if (!loose) {
        loose = { title: courseTitle, pages: [] }
        modules.push(loose)
      }
      loose.pages.push(...taken)
    }
  }
  return [...modules, ...modulesByFolder([...left.values()], courseTitle)]
}

/** The pages of an entry and of all below it, each once. */
function takePages({ title, path, children }: ContentsEntry, left: Map<string, MarkdownPage>): MarkdownPage[] {
  const page = path === null ? undefined : left.get(path)
  if (page) left.delete(page.path)
  const own = page ? [{ ...page, title: title || page.title }] : []
  return [...own, ...children.flatMap((child) => takePages(child, left))]
}

interface FolderNode {
  /** Pages in it and below. */
  size: number
  index: MarkdownPage | null
}

type Tree = ReadonlyMap<string, FolderNode>

function folderTree(pages: readonly MarkdownPage[]): Tree {
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

function moduleFolder({ folders }: MarkdownPage, tree: Tree): string {
  for (let depth = 1; depth <= folders.length; depth += 1) {
    const node = tree.get(folders.slice(0, depth).join('/'))
    const isLesson = node?.size === 1 || /(?:^|\/)article\.md$/i.test(node?.index?.path ?? '')
    if (isLesson) return folders.slice(0, depth - 1).join('/')
  }
  return folders.join('/')
}

function titleOfFolder(key: string, tree: Tree): string {
  const folders = key === '' ? [] : key.split('/')
  const titles = folders.flatMap((name, at) => {
    const index = tree.get(folders.slice(0, at + 1).join('/'))?.index
    if (index) return [index.title]
    return GENERIC.has(name.toLowerCase()) && folders.length > 1 ? [] : [readable(name)]
  })
  return titles.join(' · ')
}

function compare(a: MarkdownPage, b: MarkdownPage, tree: Tree): number {
  const [left, right] = [stepsOf(a), stepsOf(b)]
  let depth = 0
  while (left[depth] === right[depth] && depth < Math.min(left.length, right.length) - 1) depth += 1
  const [leftEnds, rightEnds] = [depth === left.length - 1, depth === right.length - 1]
  // A folder's own page stands before everything in it.
  if (leftEnds && a.isIndex) return rightEnds && b.isIndex ? natural.compare(a.path, b.path) : -1
  if (rightEnds && b.isIndex) return 1
  const weights = [weightAt(a, left, depth, tree), weightAt(b, right, depth, tree)] as const
  return (
    byWeight(...weights) || natural.compare(left[depth] ?? '', right[depth] ?? '') || natural.compare(a.path, b.path)
  )
}

/** Folders of a page and, at the end, its own name; empty for the page of a folder. */
const stepsOf = (page: MarkdownPage): string[] => [
  ...page.folders,
  page.isIndex ? '' : page.path.slice(page.path.lastIndexOf('/') + 1),
]

function weightAt(page: MarkdownPage, steps: string[], depth: number, tree: Tree): number | null {
  if (depth === steps.length - 1) return page.weight
  return tree.get(steps.slice(0, depth + 1).join('/'))?.index?.weight ?? null
}

function byWeight(left: number | null, right: number | null): number {
  if (left === right) return 0
  if (left === null) return 1
  return right === null ? -1 : left - right
}
