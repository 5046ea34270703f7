import { FILE_PATH } from '#lib/core/shared/stored-file.ts'
import { convertLists } from './convert-lists.ts'
import { limitTables } from './limit-tables.ts'
import { parseClipboard, removeBlockedMarkup } from './parse-clipboard.ts'

const KEPT_ATTRIBUTES = new Set(['href', 'colspan', 'rowspan', 'start', 'data-type', 'data-checked'])

/** Elements that are removed with their text. */
const REMOVED_SELECTOR =
  'meta, link, title, head, xml, template, object, [style*="mso-element:comment" i], .MsoCommentReference, [style*="mso-hide:all" i]'

export interface CleanedPaste {
  html: string
  /** Embedded images, to be uploaded to the storage. */
  pictures: File[]
  /** Number of images that only the source program can display. */
  lostPictureCount: number
}

/**
 * Converts HTML of Word, Google Docs and other programs to elements of a lesson: headings, lists, checklists, tables,
 * links and text marks; other formatting is removed. HTML copied from this editor is not changed.
 */
export function cleanPaste(html: string): CleanedPaste {
  if (html.includes('data-pm-slice')) return { html: removeBlockedMarkup(html), pictures: [], lostPictureCount: 0 }
  const body = parseClipboard(html)
  for (const comment of listNodes(body, NodeFilter.SHOW_COMMENT)) comment.parentNode?.removeChild(comment)
  convertLists(body)
  for (const element of body.querySelectorAll(REMOVED_SELECTOR)) element.remove()
  for (const element of [...body.querySelectorAll('*')]) if (element.localName.includes(':')) unwrap(element)
  shiftHeadings(body)
  convertStyleMarks(body)
  cleanLinks(body)
  limitTables(body)
  const sources = removeForeignPictures(body)
  removeEmptyParagraphs(body)
  for (const element of body.querySelectorAll('*')) removeAttributes(element)
  for (const text of listNodes(body, NodeFilter.SHOW_TEXT)) text.nodeValue = collapseHardSpaces(text)
  const pictures = sources.flatMap((src) => decodePicture(src) ?? [])
  return { html: body.innerHTML, pictures, lostPictureCount: sources.length - pictures.length }
}

/** Removes images that are not in the tenant's storage; returns their URLs. */
function removeForeignPictures(body: HTMLElement): string[] {
  const sources: string[] = []
  for (const image of body.querySelectorAll('img')) {
    const src = image.getAttribute('src') ?? ''
    if (src.startsWith(FILE_PATH)) continue
    // An image of one pixel is a tracking pixel.
    if (!/^[01]$/.test(image.getAttribute('width') ?? '')) sources.push(src)
    image.remove()
  }
  return sources
}

/** An image in a data URL. */
function decodePicture(src: string): File | null {
  const [, type = '', data = ''] = /^data:image\/(png|jpeg|gif|webp);base64,([\w+/=\s]+)$/.exec(src) ?? []
  if (!data) return null
  const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (letter) => letter.charCodeAt(0))
  return new File([bytes], `picture.${type}`, { type: `image/${type}` })
}

function listNodes(body: HTMLElement, filter: number): Node[] {
  const walker = document.createTreeWalker(body, filter)
  const nodes: Node[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode)
  return nodes
}

/** Both programs separate words by sequences of non-breaking spaces. */
function collapseHardSpaces({ nodeValue, parentElement }: Node): string {
  const text = (nodeValue ?? '').toWellFormed().replaceAll('\0', '')
  return parentElement?.closest('pre') ? text : text.replace(/\u00a0(?=\s)|(?<=\s)\u00a0/g, '')
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes)
}

/** Renames an element and keeps its children. */
function renameElement(element: Element, name: string): HTMLElement {
  const renamed = document.createElement(name)
  for (const { name: key, value } of [...element.attributes]) if (key !== 'xmlns') renamed.setAttribute(key, value)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
  return renamed
}

/** The title of a lesson has level 1, so the highest pasted heading becomes level 2. */
function shiftHeadings(body: HTMLElement): void {
  for (const title of body.querySelectorAll('p.MsoTitle')) renameElement(title, 'h1')
  const elements = [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const levels = elements.map(({ localName }) => Number(localName[1]))
  const shift = levels.includes(1) ? 1 : 0
  for (const [index, heading] of elements.entries()) {
    renameElement(heading, `h${Math.min(4, Math.max(2, (levels[index] ?? 2) + shift))}`)
  }
}

/** Converts style attributes to mark elements; bold in a heading is ignored. */
function convertStyleMarks(body: HTMLElement): void {
  for (const element of [...body.querySelectorAll<HTMLElement>('b, strong, span, font, a, p, ins, i, em')]) {
    const { fontWeight, fontStyle, textDecorationLine, textDecoration } = element.style
    const isStrongElement = element.localName === 'b' || element.localName === 'strong'
    const isBold = fontWeight ? fontWeight === 'bold' || Number(fontWeight) >= 600 : isStrongElement
    const inHeading = element.closest('h2, h3, h4, th') !== null
    const decoration = `${textDecorationLine} ${textDecoration}`
    if (isBold && !isStrongElement && !inHeading) wrapContent(element, 'strong')
    if (fontStyle === 'italic' && element.localName !== 'i' && element.localName !== 'em') wrapContent(element, 'em')
    if (decoration.includes('line-through')) wrapContent(element, 's')
    if (decoration.includes('underline') && !element.closest('a') && !element.querySelector('a'))
      wrapContent(element, 'u')
    if (isStrongElement && (!isBold || inHeading)) unwrap(element)
    else if (element.localName === 'span' || element.localName === 'font') unwrap(element)
  }
}

function wrapContent(element: Element, name: string): void {
  if (!element.textContent?.trim()) return
  const wrapper = document.createElement(name)
  wrapper.append(...element.childNodes)
  element.append(wrapper)
}

/** Links within the source document are removed; the redirect of Google is replaced by its target. */
function cleanLinks(body: HTMLElement): void {
  for (const link of [...body.querySelectorAll('a')]) {
    const href = link.getAttribute('href') ?? ''
    const redirectTarget = /^https:\/\/www\.google\.com\/url\?/.test(href) ? new URL(href).searchParams.get('q') : null
    if (redirectTarget) link.setAttribute('href', redirectTarget)
    else if (!href || href.startsWith('#') || href.startsWith('file:')) unwrap(link)
  }
}

/** Both programs separate paragraphs by empty paragraphs, which lessons do not need. */
function removeEmptyParagraphs(body: HTMLElement): void {
  for (const element of [...body.querySelectorAll('p, h2, h3, h4')]) {
    const empty = !element.textContent?.trim() && !element.querySelector('img')
    if (empty && !element.closest('td, th, li')) element.remove()
  }
  for (const element of [...body.querySelectorAll('br')]) {
    const { parentElement } = element
    if (
      element.classList.contains('Apple-interchange-newline') ||
      parentElement === body ||
      parentElement?.matches('ul, ol')
    )
      element.remove()
  }
}

function removeAttributes(element: Element): void {
  const language = element.localName === 'code' ? /^language-[\w+#.-]{1,30}$/.exec(element.className)?.[0] : undefined
  for (const { name } of [...element.attributes]) {
    const isImageAttribute = element.localName === 'img' && (name === 'src' || name === 'alt')
    const isFrameSource = element.localName === 'iframe' && name === 'src'
    if (!KEPT_ATTRIBUTES.has(name) && !isImageAttribute && !isFrameSource) element.removeAttribute(name)
  }
  if (language) element.className = language
  if (element.localName === 'ol' && !/^\d{1,6}$/.test(element.getAttribute('start') ?? '1'))
    element.removeAttribute('start')
}
