import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { type Markup, type MarkupElement, textContent } from '#lib/course/transfer/markup.ts'

/** TeX between delimiters; the longer ones first. */
const DELIMITERS = [
  { open: '$$', close: '$$', display: true },
  { open: '\\(', close: '\\)', display: false },
  { open: '\\[', close: '\\]', display: true },
] as const
const MAX_TEX = 2000
// Private use characters: removed from texts first, so that only placeholders of formulas contain them.
const START = '\ue000'
const END = '\ue001'
const PRIVATE = /[\ue000\ue001]/g
const PLACEHOLDER = /\ue000(\d{1,6})\ue001/
const CODE_ELEMENTS = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style', 'tt'])

interface Formula {
  latex: string
  display: boolean
}

/**
 * Protects the formulas of one text while its HTML is converted: replaces them by placeholders, in which white space is
 * not changed, and restores them as nodes of the document.
 */
export class Formulas {
  readonly #list: Formula[] = []

  /** Whether there was MathML without TeX; only its text is kept. */
  hasTextOnly = false

  /** Replaces TeX in texts and MathML with a TeX annotation. Code is not changed. */
  take(nodes: readonly Markup[]): Markup[] {
    return joinTexts(nodes).map((node) =>
      typeof node === 'string' ? this.#takeText(node.replace(PRIVATE, '')) : this.#takeElement(node),
    )
  }

  /** The same for markup that already contains placeholders. */
  takeMore(nodes: readonly Markup[]): Markup[] {
    return joinTexts(nodes).map((node) => {
      if (typeof node === 'string') return this.#takeText(node)
      return CODE_ELEMENTS.has(node.name) ? node : { ...node, children: this.takeMore(node.children) }
    })
  }

  putBack(doc: LessonDoc): LessonDoc {
    return this.#list.length === 0
      ? doc
      : { type: 'doc', content: doc.content.flatMap((node) => this.#putBackBlock(node)) }
  }

  #takeElement(node: MarkupElement): Markup {
    if (node.name === 'math') {
      const annotation = findTex(node)
      if (annotation) return this.#placeholder({ latex: annotation, display: node.attributes.display === 'block' })
      this.hasTextOnly = true
      return node
    }
    if (!CODE_ELEMENTS.has(node.name)) return { ...node, children: this.take(node.children) }
    return { ...node, children: withoutPrivate(node.children) }
  }

  #takeText(text: string): string {
    let result = ''
    let start = 0
    const missing = new Set<string>()
    for (let at = 0; at < text.length; at += 1) {
      const delimiter = DELIMITERS.find(({ open }) => text.startsWith(open, at))
      if (!delimiter || missing.has(delimiter.close)) continue
      const end = text.indexOf(delimiter.close, at + 2)
      if (end < 0) {
        missing.add(delimiter.close)
        continue
      }
      const latex = text.slice(at + 2, end).trim()
      if (latex === '' || latex.length > MAX_TEX || latex.includes(START)) continue
      result += text.slice(start, at) + this.#placeholder({ latex, display: delimiter.display })
      start = end + 2
      at = end + 1
    }
    return result + text.slice(start)
  }

  #placeholder(formula: Formula): string {
    this.#list.push(formula)
    return `${START}${this.#list.length - 1}${END}`
  }

  #putBackBlock(node: LessonNode): LessonNode[] {
    if (!node.content) return [node]
    const [only, more] = node.content
    if (node.type === 'paragraph' && only?.type === 'text' && !more) {
      const formula = this.#formulaOf(only.text?.trim() ?? '')
      if (formula?.display) return [{ type: 'blockMath', attrs: { latex: formula.latex } }]
    }
    if (node.content.some(({ type }) => type === 'text'))
      return [
        { ...node, content: node.content.flatMap((child) => this.#putBackInline(child, node.type === 'codeBlock')) },
      ]
    const content = node.content.flatMap((child) => this.#putBackBlock(child))
    // The editor requires each item to start with a paragraph.
    const needsParagraph = node.type === 'listItem' && content[0]?.type !== 'paragraph'
    return [{ ...node, content: needsParagraph ? [{ type: 'paragraph' }, ...content] : content }]
  }

  #putBackInline(node: LessonNode, inCode: boolean): LessonNode[] {
    if (node.type !== 'text' || !node.text) return [node]
    const pieces = node.text.split(PLACEHOLDER)
    return pieces.flatMap((piece, index): LessonNode[] => {
      if (index % 2 === 0) return piece === '' ? [] : [{ ...node, text: piece }]
      const formula = this.#list[Number(piece)]
      if (!formula) return []
      return inCode ? [{ ...node, text: formula.latex }] : [{ type: 'inlineMath', attrs: { latex: formula.latex } }]
    })
  }

  #formulaOf(text: string): Formula | null {
    const number = PLACEHOLDER.exec(text)?.[1]
    return number !== undefined && text === `${START}${number}${END}` ? (this.#list[Number(number)] ?? null) : null
  }
}

/** The parser returns a text in pieces, split e.g. at each entity. */
function joinTexts(nodes: readonly Markup[]): Markup[] {
  const joined: Markup[] = []
  for (const node of nodes) {
    const last = joined.at(-1)
    if (typeof node === 'string' && typeof last === 'string') joined[joined.length - 1] = last + node
    else joined.push(node)
  }
  return joined
}

function withoutPrivate(nodes: readonly Markup[]): Markup[] {
  return nodes.map((node) =>
    typeof node === 'string' ? node.replace(PRIVATE, '') : { ...node, children: withoutPrivate(node.children) },
  )
}

/** The TeX of a MathML element, which many programs add as an annotation. */
function findTex(node: MarkupElement): string | null {
  for (const child of node.children) {
    if (typeof child === 'string') continue
    if (child.name === 'annotation' && /tex/i.test(child.attributes.encoding ?? '')) {
      const latex = textContent(child).trim()
      if (latex !== '' && latex.length <= MAX_TEX) return latex
    }
    const inner = findTex(child)
    if (inner) return inner
  }
  return null
}
