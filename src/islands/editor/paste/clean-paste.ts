import { pasteLists } from './paste-lists.ts'
import { pasteTables } from './paste-tables.ts'

const KEPT = new Set(['href', 'colspan', 'rowspan', 'start', 'data-type', 'data-checked'])

/** Of these nothing is wanted, their words included. */
const NOISE =
  'style, script, meta, link, title, head, xml, template, object, [style*="mso-element:comment" i], .MsoCommentReference, [style*="mso-hide:all" i]'

export interface Cleaned {
  html: string
  /** Pictures that came in whole, to be sent to the storage. */
  pictures: File[]
  /** Pictures that only the other program could show. */
  lost: number
}

/**
 * What Word, Google Docs and other programs lay into the clipboard, made to what a lesson knows: headings, lists,
 * checklists, tables, links and the marks of words; how it looked there is left behind. Our own copies stay as they are.
 */
export function cleanPaste(html: string): Cleaned {
  if (html.includes('data-pm-slice')) return { html, pictures: [], lost: 0 }
  const { body } = new DOMParser().parseFromString(html.replace(/<!\[(?:if|endif)[^<>\]]*\]>/gi, ''), 'text/html')
  for (const comment of nodesOf(body, NodeFilter.SHOW_COMMENT)) comment.parentNode?.removeChild(comment)
  pasteLists(body)
  for (const one of body.querySelectorAll(NOISE)) one.remove()
  for (const one of [...body.querySelectorAll('*')]) if (one.localName.includes(':')) unwrap(one)
  headings(body)
  marks(body)
  links(body)
  pasteTables(body)
  const sources = foreignPictures(body)
  emptyParagraphs(body)
  for (const one of body.querySelectorAll('*')) bare(one)
  for (const text of nodesOf(body, NodeFilter.SHOW_TEXT)) text.nodeValue = evened(text)
  const pictures = sources.flatMap((src) => pictureIn(src) ?? [])
  return { html: body.innerHTML, pictures, lost: sources.length - pictures.length }
}

/** Takes out all that is not of the school's storage; gives the addresses. */
function foreignPictures(body: HTMLElement): string[] {
  const found: string[] = []
  for (const image of body.querySelectorAll('img')) {
    const src = image.getAttribute('src') ?? ''
    if (src.startsWith('/v1/file/')) continue
    // A point of nothing counts visits; it was never a picture.
    if (!/^[01]$/.test(image.getAttribute('width') ?? '')) found.push(src)
    image.remove()
  }
  return found
}

/** A picture that is written into its address. */
function pictureIn(src: string): File | null {
  const [, type = '', data = ''] = /^data:image\/(png|jpeg|gif|webp);base64,([\w+/=\s]+)$/.exec(src) ?? []
  if (!data) return null
  const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (letter) => letter.charCodeAt(0))
  return new File([bytes], `picture.${type}`, { type: `image/${type}` })
}

function nodesOf(body: HTMLElement, what: number): Node[] {
  const walker = document.createTreeWalker(body, what)
  const found: Node[] = []
  while (walker.nextNode()) found.push(walker.currentNode)
  return found
}

/** Both programs set words apart by rows of hard spaces. */
function evened({ nodeValue, parentElement }: Node): string {
  const text = (nodeValue ?? '').toWellFormed().replaceAll('\0', '')
  return parentElement?.closest('pre') ? text : text.replace(/\u00a0(?=\s)|(?<=\s)\u00a0/g, '')
}

export function unwrap(one: Element): void {
  one.replaceWith(...one.childNodes)
}

/** An element under another name, with the same children. */
export function rename(one: Element, name: string): HTMLElement {
  const renamed = document.createElement(name)
  for (const { name: key, value } of [...one.attributes]) if (key !== 'xmlns') renamed.setAttribute(key, value)
  renamed.append(...one.childNodes)
  one.replaceWith(renamed)
  return renamed
}

/** A lesson's own title is the first level, so the highest that is pasted becomes the second. */
function headings(body: HTMLElement): void {
  for (const title of body.querySelectorAll('p.MsoTitle')) rename(title, 'h1')
  const found = [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const levels = found.map(({ localName }) => Number(localName[1]))
  const shift = levels.includes(1) ? 1 : 0
  for (const [index, heading] of found.entries()) {
    rename(heading, `h${Math.min(4, Math.max(2, (levels[index] ?? 2) + shift))}`)
  }
}

/** Marks that are written as styles become elements; bold in a heading is only how headings look. */
function marks(body: HTMLElement): void {
  for (const one of [...body.querySelectorAll<HTMLElement>('b, strong, span, font, a, p, ins, i, em')]) {
    const { fontWeight, fontStyle, textDecorationLine, textDecoration } = one.style
    const strong = one.localName === 'b' || one.localName === 'strong'
    const heavy = fontWeight ? fontWeight === 'bold' || Number(fontWeight) >= 600 : strong
    const inHeading = one.closest('h2, h3, h4, th') !== null
    const drawn = `${textDecorationLine} ${textDecoration}`
    if (heavy && !strong && !inHeading) wrap(one, 'strong')
    if (fontStyle === 'italic' && one.localName !== 'i' && one.localName !== 'em') wrap(one, 'em')
    if (drawn.includes('line-through')) wrap(one, 's')
    if (drawn.includes('underline') && !one.closest('a') && !one.querySelector('a')) wrap(one, 'u')
    if (strong && (!heavy || inHeading)) unwrap(one)
    else if (one.localName === 'span' || one.localName === 'font') unwrap(one)
  }
}

function wrap(one: Element, name: string): void {
  if (!one.textContent?.trim()) return
  const around = document.createElement(name)
  around.append(...one.childNodes)
  one.append(around)
}

/** Addresses inside of the other document lead nowhere here; Google's detour is taken off. */
function links(body: HTMLElement): void {
  for (const link of [...body.querySelectorAll('a')]) {
    const href = link.getAttribute('href') ?? ''
    const detour = /^https:\/\/www\.google\.com\/url\?/.test(href) ? new URL(href).searchParams.get('q') : null
    if (detour) link.setAttribute('href', detour)
    else if (!href || href.startsWith('#') || href.startsWith('file:')) unwrap(link)
  }
}

/** Both programs space their texts by empty paragraphs; a lesson has its own distances. */
function emptyParagraphs(body: HTMLElement): void {
  for (const one of [...body.querySelectorAll('p, h2, h3, h4')]) {
    const empty = !one.textContent?.trim() && !one.querySelector('img')
    if (empty && !one.closest('td, th, li')) one.remove()
  }
  for (const one of [...body.querySelectorAll('br')]) {
    const { parentElement } = one
    if (
      one.classList.contains('Apple-interchange-newline') ||
      parentElement === body ||
      parentElement?.matches('ul, ol')
    )
      one.remove()
  }
}

function bare(one: Element): void {
  const language = one.localName === 'code' ? /^language-[\w+#.-]{1,30}$/.exec(one.className)?.[0] : undefined
  for (const { name } of [...one.attributes]) {
    const own = one.localName === 'img' && (name === 'src' || name === 'alt')
    const framed = one.localName === 'iframe' && name === 'src'
    if (!KEPT.has(name) && !own && !framed) one.removeAttribute(name)
  }
  if (language) one.className = language
  if (one.localName === 'ol' && !/^\d{1,6}$/.test(one.getAttribute('start') ?? '1')) one.removeAttribute('start')
}
