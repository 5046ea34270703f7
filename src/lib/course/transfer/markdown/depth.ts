/** Far above the depth of real texts; the conversion keeps ten levels. */
const MAX_MARKERS = 40
const MARKER = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y

/**
 * Markdown without the quote and list markers of a line beyond forty: each of them opens a container, and the time of
 * the parser grows with the square of the open containers.
 */
export function limitDepth(markdown: string): string {
  return markdown.split('\n').map(limitLine).join('\n')
}

function limitLine(line: string): string {
  let keptEnd = 0
  let end = 0
  MARKER.lastIndex = 0
  for (let markers = 1; MARKER.test(line); markers += 1) {
    end = MARKER.lastIndex
    if (markers <= MAX_MARKERS) keptEnd = end
  }
  return end > keptEnd ? line.slice(0, keptEnd) + line.slice(end) : line
}
