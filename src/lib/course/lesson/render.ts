import sanitizeHtml, { type IOptions } from 'sanitize-html'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import { isSafeHref, type LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import type { Picture } from '#lib/storage/signed-url.ts'
import { ALLOWED_HTML } from '../transfer/allowed-html.ts'
import { MATHML_ATTRIBUTES, MATHML_TAGS, renderFormula } from './formula.ts'
import { type RenderState, renderBlock } from './render-block.ts'
import type { RenderContext } from './render-context.ts'

/** A part of a lesson's page: HTML, or content that another module renders. */
export type LessonPart =
  | { kind: 'html'; html: string }
  | { kind: 'media'; fileId: string }
  | { kind: 'task'; taskId: string }
  | { kind: 'test'; testId: string | null }

/**
 * Renders a lesson's document to HTML. Texts and attributes are escaped here, and sanitize-html removes anything
 * outside the list of allowed elements. With images by file id, only those are rendered, with their signed addresses;
 * without, all images keep the address that staff can open. With a full context, labels and file links are rendered,
 * and media, tasks and tests are represented by their names.
 */
export function renderLesson(
  doc: LessonDoc,
  context: ReadonlyMap<string, Picture> | RenderContext | null = null,
): string {
  return sanitize(renderChildren(doc.content, renderStateOf(context)))
}

/** Renders a document in parts, for a page that inserts media, homework and tests at their positions. */
export function renderParts(doc: LessonDoc, context: RenderContext): LessonPart[] {
  const state = renderStateOf(context)
  const parts: LessonPart[] = []
  let html = ''
  const flushHtml = () => {
    if (html) parts.push({ kind: 'html', html: sanitize(html) })
    html = ''
  }
  for (const node of doc.content) {
    const part = partOf(node, context)
    if (part) {
      flushHtml()
      parts.push(part)
    } else html += renderNode(node, state)
  }
  flushHtml()
  return parts
}

const ALLOWED: IOptions = {
  ...ALLOWED_HTML,
  allowedTags: [...(ALLOWED_HTML.allowedTags || []), ...MATHML_TAGS],
  allowedAttributes: { ...ALLOWED_HTML.allowedAttributes, ...MATHML_ATTRIBUTES },
}
const sanitize = (html: string): string => sanitizeHtml(html, ALLOWED)

function renderStateOf(context: ReadonlyMap<string, Picture> | RenderContext | null): RenderState {
  const fullContext = context && 'files' in context ? context : null
  return {
    tasks: 0,
    pictures: fullContext?.pictures ?? (context && !('files' in context) ? context : null),
    context: fullContext,
    children: renderChildren,
  }
}

function partOf({ type, attrs = {} }: LessonNode, { files }: RenderContext): LessonPart | null {
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

function renderChildren(nodes: readonly LessonNode[] | undefined, state: RenderState): string {
  return nodes?.map((node) => renderNode(node, state)).join('') ?? ''
}

function renderNode(node: LessonNode, state: RenderState): string {
  const simple = SIMPLE[node.type]
  if (simple) return `<${simple}>${renderChildren(node.content, state)}</${simple}>`
  const attrs = node.attrs ?? {}
  switch (node.type) {
    case 'text':
      return renderMarks(node)
    case 'inlineMath':
      return renderFormula(String(attrs.latex ?? ''), { isBlock: false })
    case 'blockMath':
      return renderFormula(String(attrs.latex ?? ''), { isBlock: true })
    case 'hardBreak':
      return '<br>'
    case 'horizontalRule':
      return '<hr>'
    case 'heading': {
      const level = [2, 3, 4].find((known) => known === attrs.level) ?? 2
      return `<h${level}>${renderChildren(node.content, state)}</h${level}>`
    }
    case 'orderedList':
      return `<ol${numericAttribute('start', attrs.start, 1)}>${renderChildren(node.content, state)}</ol>`
    case 'taskList':
      return `<ul data-type="taskList">${renderChildren(node.content, state)}</ul>`
    case 'taskItem': {
      state.tasks += 1
      const id = `task-${state.tasks}`
      const box = `<input type="checkbox" disabled aria-labelledby="${id}"${attrs.checked === true ? ' checked' : ''}>`
      return `<li data-checked="${attrs.checked === true}">${box}<div id="${id}">${renderChildren(node.content, state)}</div></li>`
    }
    case 'codeBlock': {
      const language = attrs.language ? ` class="language-${escapeHtml(attrs.language)}"` : ''
      // Wide code scrolls inside its frame and must be reachable by keyboard.
      return `<pre tabindex="0"><code${language}>${renderChildren(node.content, state)}</code></pre>`
    }
    case 'table':
      return `<div class="table-scroll" tabindex="0"><table><tbody>${renderChildren(node.content, state)}</tbody></table></div>`
    case 'tableHeader':
    case 'tableCell': {
      const tag = node.type === 'tableHeader' ? 'th' : 'td'
      const spans = numericAttribute('colspan', attrs.colspan, 1) + numericAttribute('rowspan', attrs.rowspan, 1)
      return `<${tag}${spans}>${renderChildren(node.content, state)}</${tag}>`
    }
    default:
      return renderBlock(node, state) ?? renderChildren(node.content, state)
  }
}

function renderMarks(node: LessonNode): string {
  return (node.marks ?? []).reduce((inner, mark) => {
    if (mark.type === 'link') {
      const href = String(mark.attrs?.href ?? '')
      return isSafeHref(href) ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${inner}</a>` : inner
    }
    const tag = MARKS[mark.type]
    return tag ? `<${tag}>${inner}</${tag}>` : inner
  }, escapeHtml(node.text))
}

function numericAttribute(name: string, value: unknown, defaultValue: number): string {
  return typeof value === 'number' && value !== defaultValue ? ` ${name}="${value}"` : ''
}
