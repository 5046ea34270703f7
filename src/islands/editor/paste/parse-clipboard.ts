/**
 * Parses HTML of the clipboard. A parsed document is subject to the policy of the page, which blocks style sheets,
 * scripts and event handlers and reports each one; Word adds dozens of them. They are removed from the text beforehand.
 */
export function parseClipboard(html: string): HTMLElement {
  return new DOMParser().parseFromString(removeBlockedMarkup(html), 'text/html').body
}

/**
 * HTML without comments, `style` and `script` elements and event handlers. One pass over the text, in linear time;
 * markup that is not closed is dropped, as in the parser of the browser.
 */
export function removeBlockedMarkup(html: string): string {
  let output = ''
  let position = 0
  while (position < html.length) {
    const start = html.indexOf('<', position)
    if (start < 0) return output + html.slice(position)
    output += html.slice(position, start)
    if (html.startsWith('<!--', start)) {
      const end = html.indexOf('-->', start + 2)
      if (end < 0) return output
      position = end + '-->'.length
      continue
    }
    const name = matchAt(TAG_START, html, start)
    if (!name) {
      output += '<'
      position = start + 1
      continue
    }
    const tag = readTag(html, start, start + name.length)
    if (!tag) return output
    position = tag.end
    const blocked = /^<\/?(style|script)$/i.exec(name)?.[1]
    if (!blocked) output += tag.text
    else if (!name.startsWith('</')) {
      position = findClosingTag(html, blocked, position)
      if (position < 0) return output
    }
  }
  return output
}

const TAG_START = /<\/?[a-z][^\s/>]*/iy
const BETWEEN_ATTRIBUTES = /[\s/]*/y
const ATTRIBUTE_NAME = /[^>][^\s/>=]*/y
const EQUALS = /\s*=\s*/y
const UNQUOTED_VALUE = /[^\s>]*/y

/** The tag without event handlers, and the position after it; null when the text ends within the tag. */
function readTag(html: string, start: number, nameEnd: number): { text: string; end: number } | null {
  let text = html.slice(start, nameEnd)
  let position = nameEnd
  while (position < html.length) {
    const gap = matchAt(BETWEEN_ATTRIBUTES, html, position)
    position += gap.length
    text += gap
    if (html[position] === '>') return { text: `${text}>`, end: position + 1 }
    const attributeStart = position
    const attributeName = matchAt(ATTRIBUTE_NAME, html, position)
    position += attributeName.length
    const equals = matchAt(EQUALS, html, position)
    position = equals ? findValueEnd(html, position + equals.length) : position
    if (position < 0) return null
    if (!/^on/i.test(attributeName)) text += html.slice(attributeStart, position)
  }
  return null
}

function findValueEnd(html: string, start: number): number {
  const quote = html[start]
  if (quote !== '"' && quote !== "'") return start + matchAt(UNQUOTED_VALUE, html, start).length
  const end = html.indexOf(quote, start + 1)
  return end < 0 ? end : end + 1
}

function findClosingTag(html: string, name: string, start: number): number {
  const closing = new RegExp(`</${name}`, 'gi')
  closing.lastIndex = start
  return closing.exec(html)?.index ?? -1
}

/** The match of a sticky expression at a position; empty without a match. */
function matchAt(expression: RegExp, text: string, position: number): string {
  expression.lastIndex = position
  return expression.exec(text)?.[0] ?? ''
}
