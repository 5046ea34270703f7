import path from 'node:path/posix'
import type { TransferNote } from '#lib/course/transfer/schema.ts'
import { visibleText } from './html.ts'
import { createSourceUnit, type Source } from './unit.ts'

const CODE = /(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g
const IMAGE = /\.(png|jpe?g|gif|webp|avif)$/i

/** Reads the content of a Markdown folder: every `.md` file with its text and external links, and the used images. */
export function readMarkdown(members: ReadonlyMap<string, Buffer>): Source {
  const pages = [...members].filter(([name]) => /\.md$/i.test(name) && !name.startsWith('__MACOSX/'))
  const shown = new Set<string>()
  const units = pages.map(([name, bytes]) => {
    const source = bytes.toString('utf8').replace(/^---\n[\s\S]*?\n---\n/, '')
    const addresses = [...source.replace(CODE, '').matchAll(/\]\(\s*<?([^)\s>]+)/g)].map((match) => match[1] ?? '')
    for (const address of addresses) {
      const at = path.normalize(path.join(path.dirname(name), decodeAddress(address.split(/[?#]/)[0] ?? '')))
      if (IMAGE.test(at) && members.has(at)) shown.add(at)
    }
    const plain = withCodeAsText(source)
      .replace(/\]\([^)]*\)/g, '] ')
      .replace(/^\s*\[[^\]]+\]:.*$/gm, '')
    const withoutInfo = plain.replace(/^([\s>]*)(?:`{3,}|~{3,})[^`\n]*$/gm, '$1')
    const withoutNumbers = withoutInfo.replace(/^([\s>*+-]*)\d{1,9}[.)][ \t]/gm, '$1')
    const { text } = visibleText(withoutNumbers.replace(/<!--[\s\S]*?-->/g, ''))
    const outer = addresses.filter((address) => /^https?:/i.test(address) && !IMAGE.test(address))
    const read = createSourceUnit('page', name, text, outer)
    return { ...read, isListedBy: (note: TransferNote) => isPageNote(note, name, text) }
  })
  return {
    units,
    files: [...shown].map((name) => ({ name: path.basename(name), owners: [path.basename(name), name] })),
  }
}

/** Whether a note lists a page as skipped: by its path, its name, or one of its folders with a count. */
function isPageNote({ kind, title }: TransferNote, name: string, text: string): boolean {
  const bare = title.replace(/ \(\d+\)$/, '')
  if (kind === 'fileRefused') return title === name
  if (kind === 'empty') return text.length < 500 && text.includes(title)
  return kind === 'pagesSkipped' && (bare === path.basename(name) || `/${name}`.includes(`/${bare}`))
}

/** Escapes tags in code, which are text. */
function withCodeAsText(source: string): string {
  return source.replace(CODE, (code) => code.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
