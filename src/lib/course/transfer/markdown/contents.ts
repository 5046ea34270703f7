import path from 'node:path/posix'
import type { List, ListItem } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { limitDepth } from './depth.ts'
import { isRecord, textIn, yamlOf } from './front-matter.ts'
import { plainText } from './markdown.ts'

/** A line of a table of contents: a page, a heading over others, or both. */
export interface ContentsEntry {
  title: string
  /** Path of the page in the archive; null for a heading alone. */
  path: string | null
  children: ContentsEntry[]
}

/** Names of tables of contents that are read, by what they are. */
export const CONTENTS_FILES = /(?:^|\/)(?:SUMMARY\.md|_toc\.ya?ml|mkdocs\.ya?ml)$/i

/** A table of contents of GitBook or mdBook (SUMMARY.md), Jupyter Book (_toc.yml) or MkDocs (mkdocs.yml); empty without one. */
export function readContents(at: string, source: string): ContentsEntry[] {
  const folder = path.dirname(at)
  if (/\.md$/i.test(at)) return summary(source, folder)
  const yaml = yamlOf(source)
  if (/mkdocs/i.test(path.basename(at))) {
    const docs = isRecord(yaml) ? textIn(yaml, 'docs_dir') || 'docs' : 'docs'
    return isRecord(yaml) ? navigation(yaml.nav, path.join(folder, docs), 0) : []
  }
  return bookOf(yaml, folder)
}

/** Deeper entries are dropped: no table of contents has them. */
const DEEPEST = 8

function summary(source: string, folder: string): ContentsEntry[] {
  const found: ContentsEntry[] = []
  let part: ContentsEntry | null = null
  for (const node of fromMarkdown(limitDepth(source)).children) {
    if (node.type === 'heading') {
      // GitBook begins the file with its own name.
      if (node.depth === 1 && found.length === 0) continue
      part = { title: plainText(node).trim(), path: null, children: [] }
      found.push(part)
    } else if (node.type === 'list') {
      const target: ContentsEntry[] = part ? part.children : found
      for (const entry of listEntries(node, folder, 0)) target.push(entry)
    }
  }
  return found.filter((entry) => entry.path !== null || entry.children.length > 0)
}

function listEntries(list: List, folder: string, depth: number): ContentsEntry[] {
  return depth > DEEPEST ? [] : list.children.map((item) => itemEntry(item, folder, depth))
}

function itemEntry(item: ListItem, folder: string, depth: number): ContentsEntry {
  const entry: ContentsEntry = { title: '', path: null, children: [] }
  for (const node of item.children) {
    if (node.type === 'list') entry.children.push(...listEntries(node, folder, depth + 1))
    else if (node.type === 'paragraph' && entry.title === '') {
      entry.title = plainText(node).trim()
      const link = node.children.find((child) => child.type === 'link')
      if (link) entry.path = placeOf(link.url, folder)
    }
  }
  return entry
}

/** Jupyter Book: `parts` or `chapters` of `file`, `title` and `sections`; in its first version a plain list. */
function bookOf(yaml: unknown, folder: string): ContentsEntry[] {
  if (Array.isArray(yaml)) return chapters(yaml, folder, 0)
  if (!isRecord(yaml)) return []
  const root = textIn(yaml, 'root')
  const first = root ? [{ title: '', path: pagePath(root, folder), children: [] }] : []
  const parts = Array.isArray(yaml.parts) ? yaml.parts.filter(isRecord) : []
  const divided = parts.map((part) => ({
    title: textIn(part, 'caption', 'title'),
    path: null,
    children: chapters(part.chapters, folder, 0),
  }))
  return [...first, ...divided, ...chapters(yaml.chapters, folder, 0)]
}

function chapters(value: unknown, folder: string, depth: number): ContentsEntry[] {
  if (!Array.isArray(value) || depth > DEEPEST) return []
  return value.filter(isRecord).map((one) => {
    const file = textIn(one, 'file')
    const below = one.sections ?? one.chapters
    return {
      title: textIn(one, 'title', 'part', 'header'),
      path: file ? pagePath(file, folder) : null,
      children: chapters(below, folder, depth + 1),
    }
  })
}

function navigation(value: unknown, folder: string, depth: number): ContentsEntry[] {
  if (!Array.isArray(value) || depth > DEEPEST) return []
  return value.flatMap((one: unknown): ContentsEntry[] => {
    if (typeof one === 'string') return [{ title: '', path: placeOf(one, folder), children: [] }]
    if (!isRecord(one)) return []
    return Object.entries(one).map(([title, below]) =>
      typeof below === 'string'
        ? { title, path: placeOf(below, folder), children: [] }
        : { title, path: null, children: navigation(below, folder, depth + 1) },
    )
  })
}

/** Files of a Jupyter Book stand without their extension. */
const pagePath = (file: string, folder: string): string | null =>
  placeOf(/\.\w{1,8}$/.test(file) ? file : `${file}.md`, folder)

function placeOf(address: string, folder: string): string | null {
  const [bare = ''] = address.split(/[?#]/)
  if (bare === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(bare)) return null
  try {
    return path.normalize(path.join(folder, decodeURIComponent(bare)))
  } catch {
    return path.normalize(path.join(folder, bare))
  }
}
