import { fileOf, type LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { escapeXml } from '#lib/core/shared/text/escape.ts'
import type { NoteChange } from '../question-reader.ts'

/** How a format represents content for which HTML has no element. Each function returns markup. */
export interface TextTarget {
  /** Address of an image or file; null when it cannot be shown. */
  address(fileId: string): string | null
  formula(latex: string, display: boolean): string
  /** The field of a gap; without this function the marker is kept. */
  gap?(id: string): string
  note: NoteChange
}

const MARK_TAGS: Record<string, string> = { bold: 'strong', italic: 'em', strike: 's', underline: 'u', code: 'code' }
const GAP = /\[\[([A-Za-z0-9_-]{1,40})\]\]/
/** TeX delimiters in plain text; they are separated by an empty element, so that they are not parsed as TeX. */
const TEX_START = /(\$(?=\$)|\\(?=[([]))/g

/** Formats a document as well-formed HTML, which `TextReader` converts back to the same document. */
export function writeHtml(doc: LessonDoc, target: TextTarget): string {
  return doc.content.map((node) => writeBlock(node, target)).join('')
}

/** The same without a paragraph around a text of one paragraph. */
export function writeInlineHtml(doc: LessonDoc, target: TextTarget): string {
  const [first, second] = doc.content
  if (second || first?.type !== 'paragraph') return writeHtml(doc, target)
  return writeInline(first.content, target)
}

/** TeX between the delimiters that `Formulas` reads. */
export function texFormula(latex: string, display: boolean): string {
  const text = escapeXml(latex)
  return display || latex.includes('\\)') ? `$$${text}$$` : `\\(${text}\\)`
}

function writeBlock(node: LessonNode, target: TextTarget): string {
  const { type, attrs = {}, content = [] } = node
  const blocks = () => content.map((child) => writeBlock(child, target)).join('')
  switch (type) {
    case 'paragraph':
      return `<p>${writeInline(content, target)}</p>`
    case 'heading':
      return `<h${attrs.level}>${writeInline(content, target)}</h${attrs.level}>`
    case 'bulletList':
      return `<ul>${blocks()}</ul>`
    case 'orderedList':
      return Number(attrs.start ?? 1) > 1 ? `<ol start="${attrs.start}">${blocks()}</ol>` : `<ol>${blocks()}</ol>`
    case 'listItem':
      return `<li>${blocks()}</li>`
    case 'blockquote':
      return `<blockquote>${blocks()}</blockquote>`
    case 'codeBlock':
      if (attrs.language) target.note('layout_lost')
      // HTML ignores the first line break.
      return `<pre>\n${content.map(({ text = '' }) => escapeXml(text)).join('')}</pre>`
    case 'horizontalRule':
      return '<hr/>'
    case 'image':
      return writeImage(node, target)
    case 'blockMath':
      return `<p>${target.formula(String(attrs.latex ?? ''), true)}</p>`
    case 'table':
      return `<table><tbody>${blocks()}</tbody></table>`
    case 'tableRow':
      return `<tr>${blocks()}</tr>`
    case 'tableHeader':
      return `<th${spans(attrs)}>${blocks()}</th>`
    case 'tableCell':
      return `<td${spans(attrs)}>${blocks()}</td>`
    default:
      return writeOther(node, target)
  }
}

/** Blocks that are written in a simpler form in HTML. */
function writeOther({ type, attrs = {}, content = [] }: LessonNode, target: TextTarget): string {
  switch (type) {
    case 'embed':
      return `<iframe src="${escapeXml(String(attrs.url ?? ''))}"></iframe>`
    case 'video':
    case 'audio':
    case 'file':
    case 'pdf': {
      const address = target.address(String(attrs.fileId))
      if (address === null) target.note('file_missing')
      const name = escapeXml(String(attrs.name ?? 'file'))
      if (address === null) return type === 'file' || type === 'pdf' ? `<p>${name}</p>` : ''
      const isPlayer = type === 'video' || type === 'audio'
      return isPlayer
        ? `<${type} src="${escapeXml(address)}" controls="controls"></${type}>`
        : `<p><a href="${escapeXml(address)}">${name}</a></p>`
    }
    case 'button':
      target.note('layout_lost')
      return `<p><a href="${escapeXml(String(attrs.href ?? ''))}">${escapeXml(String(attrs.label ?? ''))}</a></p>`
    default:
      target.note('layout_lost')
      return content.map((child) => writeBlock(child, target)).join('')
  }
}

function writeImage({ attrs = {} }: LessonNode, target: TextTarget): string {
  const fileId = fileOf(attrs.src)
  const address = fileId ? target.address(fileId) : null
  const alt = escapeXml(String(attrs.alt ?? ''))
  if (address === null) target.note('image_missing')
  return address === null ? (alt ? `<p>${alt}</p>` : '') : `<img src="${escapeXml(address)}" alt="${alt}"/>`
}

function writeInline(nodes: readonly LessonNode[] = [], target: TextTarget): string {
  return nodes
    .map(({ type, text = '', marks = [], attrs = {} }) => {
      if (type === 'hardBreak') return '<br/>'
      if (type === 'inlineMath') return target.formula(String(attrs.latex ?? ''), false)
      const inner = writeWords(text, target)
      return marks.reduceRight((html, mark) => {
        if (mark.type === 'link') return `<a href="${escapeXml(String(mark.attrs?.href ?? ''))}">${html}</a>`
        const tag = MARK_TAGS[mark.type]
        return tag ? `<${tag}>${html}</${tag}>` : html
      }, inner)
    })
    .join('')
}

/** Text with its gaps; white space that HTML would collapse is put into separate elements. */
function writeWords(text: string, target: TextTarget): string {
  return text
    .split(GAP)
    .map((piece, index) => {
      if (index % 2 === 1) return target.gap ? target.gap(piece) : `[[${piece}]]`
      const escaped = escapeXml(piece).replace(TEX_START, '$1<span></span>')
      return escaped.replace(/ {2,}/g, (run) => ` ${'<span> </span>'.repeat(run.length - 1)}`)
    })
    .join('')
}

function spans({ colspan, rowspan }: Record<string, unknown>): string {
  const attribute = (name: string, value: unknown) => (Number(value ?? 1) > 1 ? ` ${name}="${Number(value)}"` : '')
  return attribute('colspan', colspan) + attribute('rowspan', rowspan)
}
