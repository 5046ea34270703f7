import { Parser } from 'htmlparser2'

const SILENT = new Set(['script', 'style', 'template', 'noscript', 'title', 'annotation'])
const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd label mark q s samp small span strong sub sup tt u var'.split(
    ' ',
  ),
)

/** The text that a browser would show, alternative texts of images included, and the addresses of links and frames. */
export function shownBy(html: string): { text: string; links: string[] } {
  let text = ''
  let silent = 0
  const links: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (SILENT.has(name)) silent += 1
      if (!INLINE.has(name)) text += ' '
      if (name === 'img') text += `${attributes['data-equation-content'] ?? attributes.alt ?? ''} `
      const href =
        name === 'a' || name === 'area' ? attributes.href : name === 'iframe' || name === 'embed' ? attributes.src : ''
      if (href && !href.startsWith('#')) links.push(href)
    },
    onclosetag(name) {
      if (SILENT.has(name)) silent -= 1
      if (!INLINE.has(name)) text += ' '
    },
    ontext(data) {
      if (silent === 0) text += data
    },
  })
  parser.end(html)
  return { text, links }
}
