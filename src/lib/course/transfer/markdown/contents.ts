import path from 'node:path/posix'
import type { List, ListItem } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { limitDepth } from './depth.ts'
import { isRecord, parseYaml, textField } from './front-matter.ts'
import { plainMarkdownText } from './markdown.ts'

/** A line of a table of contents: a page, a heading above others, or both. */
export interface ContentsEntry {
  title: string
  /** Path of the page in the archive; null for a heading without a page. */
  path: string | null
  children: ContentsEntry[]
}

/** Names of the supported tables of contents, by their format. */
export const CONTENTS_FILES = /(?:^|\/)(?:SUMMARY\.md|_toc\.ya?ml|mkdocs\.ya?ml)$/i

/**
 * Parses a table of contents of GitBook or mdBook (SUMMARY.md), Jupyter Book (_toc.yml) or MkDocs (mkdocs.yml); empty
 * without one.
 */
export function readContents(filePath: string, source: string): ContentsEntry[] {
  const folder = path.dirname(filePath)
  if (/\.md$/i.test(filePath)) return parseSummary(source, folder)
  const yaml = parseYaml(source)
  if (/mkdocs/i.test(path.basename(filePath))) {
    const docs = isRecord(yaml) ? textField(yaml, 'docs_dir') || 'docs' : 'docs'
    return isRecord(yaml) ? parseNavigation(yaml.nav, path.join(folder, docs), 0) : []
  }
  return parseJupyterBook(yaml, folder)
}

/** Deeper entries are dropped: real tables of contents are not that deep. */
const MAX_DEPTH = 8

function parseSummary(source: string, folder: string): ContentsEntry[] {
  const entries: ContentsEntry[] = []
  let part: ContentsEntry | null = null
  for (const node of fromMarkdown(limitDepth(source)).children) {
    if (node.type === 'heading') {
      // GitBook starts the file with the title of the table of contents.
      if (node.depth === 1 && entries.length === 0) continue
      part = { title: plainMarkdownText(node).trim(), path: null, children: [] }
      entries.push(part)
    } else if (node.type === 'list') {
      const target: ContentsEntry[] = part ? part.children : entries
      for (const entry of listEntries(node, folder, 0)) target.push(entry)
    }
  }
  return entries.filter((entry) => entry.path !== null || entry.children.length > 0)
}

function listEntries(list: List, folder: string, depth: number): ContentsEntry[] {
  return depth > MAX_DEPTH ? [] : list.children.map((item) => itemEntry(item, folder, depth))
}

function itemEntry(item: ListItem, folder: string, depth: number): ContentsEntry {
  const entry: ContentsEntry = { title: '', path: null, children: [] }
  for (const node of item.children) {
    if (node.type === 'list') entry.children.push(...listEntries(node, folder, depth + 1))
    else if (node.type === 'paragraph' && entry.title === '') {
      entry.title = plainMarkdownText(node).trim()
      const link = node.children.find((child) => child.type === 'link')
      if (link) entry.path = resolvePath(link.url, folder)
    }
  }
  return entry
}

/** Jupyter Book: `parts` or `chapters` of `file`, `title` and `sections`; in its first version a plain list. */
function parseJupyterBook(yaml: unknown, folder: string): ContentsEntry[] {
  if (Array.isArray(yaml)) return parseChapters(yaml, folder, 0)
  if (!isRecord(yaml)) return []
  const root = textField(yaml, 'root')
  const first = root ? [{ title: '', path: pagePath(root, folder), children: [] }] : []
  const parts = Array.isArray(yaml.parts) ? yaml.parts.filter(isRecord) : []
  const partEntries = parts.map((part) => ({
    title: textField(part, 'caption', 'title'),
    path: null,
    children: parseChapters(part.chapters, folder, 0),
  }))
  return [...first, ...partEntries, ...parseChapters(yaml.chapters, folder, 0)]
}

function parseChapters(value: unknown, folder: string, depth: number): ContentsEntry[] {
  if (!Array.isArray(value) || depth > MAX_DEPTH) return []
  return value.filter(isRecord).map((chapter) => {
    const file = textField(chapter, 'file')
    const children = chapter.sections ?? chapter.chapters
    return {
      title: textField(chapter, 'title', 'part', 'header'),
      path: file ? pagePath(file, folder) : null,
      children: parseChapters(children, folder, depth + 1),
    }
  })
}

function parseNavigation(value: unknown, folder: string, depth: number): ContentsEntry[] {
  if (!Array.isArray(value) || depth > MAX_DEPTH) return []
  return value.flatMap((entry: unknown): ContentsEntry[] => {
    if (typeof entry === 'string') return [{ title: '', path: resolvePath(entry, folder), children: [] }]
    if (!isRecord(entry)) return []
    return Object.entries(entry).map(([title, children]) =>
      typeof children === 'string'
        ? { title, path: resolvePath(children, folder), children: [] }
        : { title, path: null, children: parseNavigation(children, folder, depth + 1) },
    )
  })
}

/** Jupyter Book lists files without their extension. */
const pagePath = (file: string, folder: string): string | null =>
  resolvePath(/\.\w{1,8}$/.test(file) ? file : `${file}.md`, folder)

function resolvePath(address: string, folder: string): string | null {
  const [withoutFragment = ''] = address.split(/[?#]/)
  if (withoutFragment === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(withoutFragment)) return null
  try {
    return path.normalize(path.join(folder, decodeURIComponent(withoutFragment)))
  } catch {
    return path.normalize(path.join(folder, withoutFragment))
  }
}
