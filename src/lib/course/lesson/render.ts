import sanitizeHtml from 'sanitize-html'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import { isSafeHref, type LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { Picture } from '#lib/storage/signed.ts'
import { ALLOWED } from '../transfer/allowed-html.ts'
import type { Shown } from './lesson-files.ts'
import { drawBlock, escaped, type Page } from './render-block.ts'

/** A lesson's page is composed of these, in order: plain HTML and what other rooms show. */
export type LessonPart =
  | { kind: 'html'; html: string }
  | { kind: 'media'; fileId: string }
  | { kind: 'task'; taskId: string }
  | { kind: 'test'; testId: string | null }

/**
 * A lesson's document to HTML. Every text and attribute is escaped here; sanitize-html behind it is the belt to these
 * braces: should a new node ever leak something, it takes out what the list does not name. With `pictures`, by file id,
 * only those are shown, under their signed addresses; without, all keep the address that staff can open. With what
 * `filesShown` gives, blocks also say their few words and files are offered; films, tasks and tests are named where they
 * stand.
 */
export function renderLesson(doc: LessonDoc, shown: ReadonlyMap<string, Picture> | Shown | null = null): string {
  return clean(children(doc.content, pageOf(shown)))
}

/** The same in parts, for a page that shows films, homework and tests in their places. */
export function renderParts(doc: LessonDoc, shown: Shown): LessonPart[] {
  const page = pageOf(shown)
  const parts: LessonPart[] = []
  let html = ''
  const close = () => {
    if (html) parts.push({ kind: 'html', html: clean(html) })
    html = ''
  }
  for (const node of doc.content) {
    const part = partOf(node, shown)
    if (part) {
      close()
      parts.push(part)
    } else html += render(node, page)
  }
  close()
  return parts
}

const clean = (html: string): string => sanitizeHtml(html, ALLOWED)

function pageOf(shown: ReadonlyMap<string, Picture> | Shown | null): Page {
  const full = shown && 'files' in shown ? shown : null
  return { tasks: 0, pictures: full?.pictures ?? (shown && !('files' in shown) ? shown : null), shown: full, children }
}

function partOf({ type, attrs = {} }: LessonNode, { files }: Shown): LessonPart | null {
  if (type === 'task') return { kind: 'task', taskId: String(attrs.taskId) }
  if (type === 'test') return { kind: 'test', testId: attrs.testId ? String(attrs.testId) : null }
  if (type !== 'video' && type !== 'audio' && type !== 'upload') return null
  const kind = files.get(String(attrs.fileId))?.kind
  return kind === 'video' || kind === 'audio' ? { kind: 'media', fileId: String(attrs.fileId) } : null
}

const SIMPLE = dictionary<string>({
  paragraph: 'p',
  bulletList: 'ul',
  listItem: 'li',
  blockquote: 'blockquote',
  tableRow: 'tr',
})

const MARKS = dictionary({ bold: 'strong', italic: 'em', strike: 's', underline: 'u', code: 'code' })

function children(nodes: readonly LessonNode[] | undefined, page: Page): string {
  return nodes?.map((node) => render(node, page)).join('') ?? ''
}

function render(node: LessonNode, page: Page): string {
  const simple = SIMPLE[node.type]
  if (simple) return `<${simple}>${children(node.content, page)}</${simple}>`
  const attrs = node.attrs ?? {}
  switch (node.type) {
    case 'text':
      return marked(node)
    case 'hardBreak':
      return '<br>'
    case 'horizontalRule':
      return '<hr>'
    case 'heading': {
      const level = [2, 3, 4].includes(Number(attrs.level)) ? attrs.level : 2
      return `<h${level}>${children(node.content, page)}</h${level}>`
    }
    case 'orderedList':
      return `<ol${numeric('start', attrs.start, 1)}>${children(node.content, page)}</ol>`
    case 'taskList':
      return `<ul data-type="taskList">${children(node.content, page)}</ul>`
    case 'taskItem': {
      page.tasks += 1
      const id = `task-${page.tasks}`
      const box = `<input type="checkbox" disabled aria-labelledby="${id}"${attrs.checked === true ? ' checked' : ''}>`
      return `<li data-checked="${attrs.checked === true}">${box}<div id="${id}">${children(node.content, page)}</div></li>`
    }
    case 'codeBlock': {
      const language = attrs.language ? ` class="language-${escaped(attrs.language)}"` : ''
      // Wide code scrolls inside its frame, so it has to be reachable by keyboard.
      return `<pre tabindex="0"><code${language}>${children(node.content, page)}</code></pre>`
    }
    case 'table':
      return `<div class="table-scroll" tabindex="0"><table><tbody>${children(node.content, page)}</tbody></table></div>`
    case 'tableHeader':
    case 'tableCell': {
      const tag = node.type === 'tableHeader' ? 'th' : 'td'
      const spans = numeric('colspan', attrs.colspan, 1) + numeric('rowspan', attrs.rowspan, 1)
      return `<${tag}${spans}>${children(node.content, page)}</${tag}>`
    }
    default:
      return drawBlock(node, page) ?? children(node.content, page)
  }
}

function marked(node: LessonNode): string {
  return (node.marks ?? []).reduce((inner, mark) => {
    if (mark.type === 'link') {
      const href = String(mark.attrs?.href ?? '')
      return isSafeHref(href) ? `<a href="${escaped(href)}" rel="noopener noreferrer nofollow">${inner}</a>` : inner
    }
    const tag = MARKS[mark.type]
    return tag ? `<${tag}>${inner}</${tag}>` : inner
  }, escaped(node.text))
}

function numeric(name: string, value: unknown, usual: number): string {
  return typeof value === 'number' && value !== usual ? ` ${name}="${value}"` : ''
}
