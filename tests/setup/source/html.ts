import { Parser } from 'htmlparser2'

const HIDDEN_ELEMENTS = new Set(['script', 'style', 'template', 'noscript', 'title', 'annotation'])
const INLINE_ELEMENTS = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd label mark q s samp small span strong sub sup tt u var'.split(
    ' ',
  ),
)

/** Returns the text that a browser shows, with alternative texts of images, and the addresses of links and frames. */
export function visibleText(html: string): { text: string; links: string[] } {
  let text = ''
  let hiddenDepth = 0
  const links: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth += 1
      if (!INLINE_ELEMENTS.has(name)) text += ' '
      if (name === 'img') text += `${attributes['data-equation-content'] ?? attributes.alt ?? ''} `
      const href =
        name === 'a' || name === 'area' ? attributes.href : name === 'iframe' || name === 'embed' ? attributes.src : ''
      if (href && !href.startsWith('#')) links.push(href)
    },
    onclosetag(name) {
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth -= 1
      if (!INLINE_ELEMENTS.has(name)) text += ' '
    },
    ontext(data) {
      if (hiddenDepth === 0) text += data
    },
  })
  parser.end(html)
  return { text, links }
}
