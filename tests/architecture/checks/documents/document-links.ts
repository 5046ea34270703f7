import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { SourceFile, Violation } from '../source.ts'

const LINK = /\]\(([^()\s]+)\)/g

/** Links of Markdown documents to files of the project, and to headings in them, that lead nowhere. */
export function brokenLinks({ path: from, source }: SourceFile, root: string): Violation[] {
  return [...withoutCode(source).matchAll(LINK)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [place = '', heading] = target.split('#')
    const file = path.join(root, place ? path.join(path.dirname(from), place) : from)
    if (!existsSync(file)) return [{ path: from, message: `links to ${target}, which does not exist` }]
    if (heading === undefined || statSync(file).isDirectory()) return []
    return headingIds(readFileSync(file, 'utf8')).includes(heading)
      ? []
      : [{ path: from, message: `links to ${target}, whose heading does not exist` }]
  })
}

const withoutCode = (source: string) => source.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')

/** The ids that GitHub gives to headings: lower case, without punctuation, with hyphens for spaces. */
const headingIds = (source: string): string[] =>
  [...source.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
