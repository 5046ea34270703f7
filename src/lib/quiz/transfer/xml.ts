import { type MarkupElement, parseXml } from '#lib/course/transfer/markup.ts'

/** An XML file; document types, and entities with them, are refused with unprocessable (import_xml). */
export function readXml(bytes: Uint8Array, path: string): MarkupElement {
  return parseXml(Buffer.from(bytes), null, path)
}

/** Lines on which elements with a name start, in the order of the text. Comments and CDATA sections are skipped. */
export function elementLines(text: string, name: string): number[] {
  const lines: number[] = []
  let line = 1
  let counted = 0
  const lineAt = (position: number): number => {
    for (; counted < position; counted += 1) if (text.charCodeAt(counted) === 10) line += 1
    return line
  }
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const closing = text.startsWith('<!--', at) ? '-->' : text.startsWith('<![CDATA[', at) ? ']]>' : null
    if (closing !== null) {
      const end = text.indexOf(closing, at)
      if (end < 0) break
      at = end
    } else if (isElement(text, at + 1, name)) lines.push(lineAt(at))
  }
  return lines
}

function isElement(text: string, start: number, name: string): boolean {
  const prefixed = /^[\w-]{1,40}:/.exec(text.slice(start, start + 41))?.[0].length ?? 0
  const nameStart = start + prefixed
  return text.startsWith(name, nameStart) && /[\s/>]/.test(text.charAt(nameStart + name.length))
}

/** All elements with a name, including nested ones, in the order of the text. */
export function elementsOf(node: MarkupElement, name: string): MarkupElement[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string') return []
    return [...(child.name === name ? [child] : []), ...elementsOf(child, name)]
  })
}

export const decodeXml = (bytes: Uint8Array): string => {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}
