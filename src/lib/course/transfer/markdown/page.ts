import path from 'node:path/posix'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { newId } from '#lib/core/db/id.ts'
import { parseFrontMatter, textField } from './front-matter.ts'
import { plainMarkdownText } from './markdown.ts'

/** A Markdown file of an archive before it is converted to a lesson. */
export interface MarkdownPage {
  /** Path in the archive. */
  path: string
  /** Id of the lesson that it becomes. */
  id: string
  /** Names of the folders around it, below the course's own. */
  folders: string[]
  /** The page represents its folder: `README.md`, `index.md`, or `Notes.md` next to the folder `Notes`. */
  isIndex: boolean
  head: Record<string, unknown>
  body: string
  title: string
  /** Weight in the front matter: pages with a weight come first. */
  weight: number | null
}

const INDEX_NAME = /^(?:readme|_?index|article|task|module|course)$/i
/** Notion appends the id of the page to every name. */
const NOTION_ID = / [0-9a-f]{32}$/

/** Parses a page; `folderPaths` are all folders of the archive that contain pages. */
export function parsePage(
  filePath: string,
  root: string,
  source: string,
  folderPaths: ReadonlySet<string>,
): MarkdownPage {
  const { head, body } = parseFrontMatter(source)
  const withoutExtension = filePath.replace(/\.[^.]+$/, '')
  const hasOwnFolder = folderPaths.has(withoutExtension)
  const base = path.basename(withoutExtension)
  const folder = hasOwnFolder ? withoutExtension : path.dirname(filePath)
  const folders = path
    .relative(root === '' ? '.' : root, folder)
    .split('/')
    .filter((name) => name !== '')
  const isIndex = hasOwnFolder || INDEX_NAME.test(base)
  const heading = extractHeading(body)
  const fallbackName = isIndex && folders.length > 0 ? (folders.at(-1) ?? base) : base
  return {
    path: filePath,
    id: newId(),
    folders,
    isIndex,
    head,
    title: textField(head, 'title', 'Title') || heading.title || readableTitle(fallbackName),
    body: heading.body,
    weight: weightOf(head),
  }
}

/** A file or folder name as a title: `02-first_steps` becomes `First steps`. */
export function readableTitle(name: string): string {
  const withoutNumber = name.replace(NOTION_ID, '').replace(/^\d+(?:[-_. ]+|$)/, '') || name
  const spaced = withoutNumber.replace(/[-_]+/g, ' ').trim()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

function weightOf(head: Record<string, unknown>): number | null {
  for (const key of ['weight', 'order', 'nav_order', 'sidebar_position', 'position']) {
    const value = Number(textField(head, key) || Number.NaN)
    if (Number.isFinite(value)) return value
  }
  return null
}

/** Maximum line number of the first heading, which may follow badges and images. */
const MAX_HEADING_LINE = 80

/** The first heading of level 1, removed from the text when it is at its beginning. */
function extractHeading(body: string): { title: string; body: string } {
  const lines = body.split('\n')
  for (const [index, line] of lines.slice(0, MAX_HEADING_LINE).entries()) {
    if (line.startsWith('```') || line.startsWith('~~~')) break
    const isUnderlined = /^={3,}\s*$/.test(lines[index + 1] ?? '') && line.trim() !== ''
    if (!isUnderlined && !/^#[ \t]/.test(line)) continue
    const title = stripMarkdown(isUnderlined ? line : line.slice(1))
    if (title === '') continue
    const linesBefore = lines.slice(0, index)
    const rest = linesBefore.concat(lines.slice(index + (isUnderlined ? 2 : 1)))
    return { title, body: linesBefore.every((textLine) => textLine.trim() === '') ? rest.join('\n').trim() : body }
  }
  return { title: '', body }
}

/** A heading without Markdown syntax. */
function stripMarkdown(heading: string): string {
  return plainMarkdownText(fromMarkdown(`# ${heading.slice(0, 500).trim()}`))
    .replace(/\{#[^{}]*\}/g, '')
    .trim()
}
