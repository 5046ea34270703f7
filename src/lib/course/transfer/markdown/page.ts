import path from 'node:path/posix'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { newId } from '#lib/core/db/id.ts'
import { frontMatterOf, textIn } from './front-matter.ts'
import { plainText } from './markdown.ts'

/** A Markdown file of an archive on its way to a lesson. */
export interface MarkdownPage {
  /** In the archive. */
  path: string
  /** Id of the lesson that it becomes. */
  id: string
  /** Names of the folders around it, below the course's own. */
  folders: string[]
  /** Stands for its folder: `README.md`, `index.md`, or `Notes.md` beside the folder `Notes`. */
  isIndex: boolean
  head: Record<string, unknown>
  body: string
  title: string
  /** Of the front matter: pages with one come first. */
  weight: number | null
}

const INDEX = /^(?:readme|_?index|article|task|module|course)$/i
/** Notion ends every name with the id of its page. */
const NOTION_ID = / [0-9a-f]{32}$/

/** Reads a page; `folderPaths` are all folders of the archive that hold pages. */
export function pageOf(at: string, root: string, source: string, folderPaths: ReadonlySet<string>): MarkdownPage {
  const { head, body } = frontMatterOf(source)
  const bare = at.replace(/\.[^.]+$/, '')
  const ownFolder = folderPaths.has(bare)
  const base = path.basename(bare)
  const folder = ownFolder ? bare : path.dirname(at)
  const folders = path
    .relative(root === '' ? '.' : root, folder)
    .split('/')
    .filter((name) => name !== '')
  const isIndex = ownFolder || INDEX.test(base)
  const heading = headingOf(body)
  const named = isIndex && folders.length > 0 ? (folders.at(-1) ?? base) : base
  return {
    path: at,
    id: newId(),
    folders,
    isIndex,
    head,
    title: textIn(head, 'title', 'Title') || heading.title || readable(named),
    body: heading.body,
    weight: weightOf(head),
  }
}

/** A file or folder name as a title: `02-first_steps` becomes `First steps`. */
export function readable(name: string): string {
  const bare = name.replace(NOTION_ID, '').replace(/^\d+(?:[-_. ]+|$)/, '') || name
  const spaced = bare.replace(/[-_]+/g, ' ').trim()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

function weightOf(head: Record<string, unknown>): number | null {
  for (const key of ['weight', 'order', 'nav_order', 'sidebar_position', 'position']) {
    const value = Number(textIn(head, key) || Number.NaN)
    if (Number.isFinite(value)) return value
  }
  return null
}

/** How far down a first heading may stand behind badges and pictures. */
const FIRST_LINES = 80

/** The first heading of level 1, taken out of the text when it stands at its beginning. */
function headingOf(body: string): { title: string; body: string } {
  const lines = body.split('\n')
  for (const [at, line] of lines.slice(0, FIRST_LINES).entries()) {
    if (line.startsWith('```') || line.startsWith('~~~')) break
    const underlined = /^={3,}\s*$/.test(lines[at + 1] ?? '') && line.trim() !== ''
    if (!underlined && !/^#[ \t]/.test(line)) continue
    const title = plainTitle(underlined ? line : line.slice(1))
    if (title === '') continue
    const before = lines.slice(0, at)
    const rest = before.concat(lines.slice(at + (underlined ? 2 : 1)))
    return { title, body: before.every((one) => one.trim() === '') ? rest.join('\n').trim() : body }
  }
  return { title: '', body }
}

/** A heading without the marks of Markdown. */
function plainTitle(heading: string): string {
  return plainText(fromMarkdown(`# ${heading.slice(0, 500).trim()}`))
    .replace(/\{#[^{}]*\}/g, '')
    .trim()
}
