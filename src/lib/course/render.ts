import sanitizeHtml from 'sanitize-html'
import type { Picture } from '#lib/storage/storage.ts'
import { fileOf } from './pictures.ts'
import { isSafeHref, type LessonDoc, type LessonNode } from './schema.ts'

/**
 * A lesson's document to HTML. Every text and attribute is escaped here; sanitize-html behind it is the belt to these
 * braces: should a new node ever leak something, it takes out what the list below does not name. With `pictures`, by
 * file id, only those are shown, under their signed addresses; without, all keep the address that staff can open.
 */
export function renderLesson(doc: LessonDoc, pictures: ReadonlyMap<string, Picture> | null = null): string {
  return sanitizeHtml(children(doc.content, { tasks: 0, pictures }), ALLOWED)
}

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'input', 'div', 'blockquote', 'pre', 'code', 'hr', 'br'],
    ...['picture', 'source', 'img'],
    ...['table', 'tbody', 'tr', 'th', 'td', 'strong', 'em', 's', 'u', 'a'],
  ],
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'loading', 'decoding', 'width', 'height'],
    source: ['type', 'srcset', 'sizes'],
    ol: ['start'],
    ul: ['data-type'],
    li: ['data-checked'],
    input: ['type', 'checked', 'disabled', 'aria-labelledby'],
    pre: ['tabindex'],
    code: ['class'],
    div: ['class', 'tabindex', 'id'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedClasses: { code: [/^language-[\w+#.-]+$/], div: ['table-scroll'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  selfClosing: ['input', 'hr', 'br', 'source', 'img'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
}

interface Page {
  /** Counted while a document is drawn: a checkbox is named by the words beside it, which need an id. */
  tasks: number
  pictures: ReadonlyMap<string, Picture> | null
}

const SIMPLE: Record<string, string> = {
  paragraph: 'p',
  bulletList: 'ul',
  listItem: 'li',
  blockquote: 'blockquote',
  tableRow: 'tr',
}

const MARKS: Record<string, string> = { bold: 'strong', italic: 'em', strike: 's', underline: 'u', code: 'code' }

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
    case 'image':
      return image(attrs, page)
    case 'table':
      return `<div class="table-scroll" tabindex="0"><table><tbody>${children(node.content, page)}</tbody></table></div>`
    case 'tableHeader':
    case 'tableCell': {
      const tag = node.type === 'tableHeader' ? 'th' : 'td'
      const spans = numeric('colspan', attrs.colspan, 1) + numeric('rowspan', attrs.rowspan, 1)
      return `<${tag}${spans}>${children(node.content, page)}</${tag}>`
    }
    default:
      return children(node.content, page)
  }
}

/** The width of a lesson's text on the screens there are; see reading.css. */
const SIZES = '(min-width: 46rem) 42.5rem, 100vw'

function image({ src, alt }: Record<string, unknown>, { pictures }: Page): string {
  const picture = pictures ? pictures.get(fileOf(src) ?? '') : { src, avif: '', webp: '', width: null, height: null }
  // Deleted from the storage: there is nothing to show.
  if (!picture) return ''
  const { width, height, avif, webp } = picture
  const place = width && height ? ` width="${width}" height="${height}"` : ''
  const shown = `<img src="${escaped(picture.src)}" alt="${escaped(alt)}"${place} loading="lazy" decoding="async">`
  const sources = [['avif', avif] as const, ['webp', webp] as const].map(([format, set]) =>
    set ? `<source type="image/${format}" srcset="${escaped(set)}" sizes="${SIZES}">` : '',
  )
  return avif || webp ? `<picture>${sources.join('')}${shown}</picture>` : shown
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

function escaped(value: unknown): string {
  return String(value ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
