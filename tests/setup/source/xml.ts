import { Parser } from 'htmlparser2'

export interface XmlNode {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
}

/** Parses XML into nodes without namespace prefixes; the text of a node includes that of its descendants. */
export function parseXml(xml: Buffer | string | undefined): XmlNode {
  const top: XmlNode = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const node: XmlNode = { name: name.split(':').at(-1) ?? name, attributes, children: [], text: '' }
        open.at(-1)?.children.push(node)
        open.push(node)
      },
      onclosetag() {
        open.pop()
      },
      ontext(data) {
        for (const node of open) node.text += data
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml?.toString('utf8') ?? '')
  return top
}

/** Returns all descendants with a name, in document order. */
export function findAll(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)])
}

/** Returns the text of the first child along a path of names; empty if there is none and for Moodle's null. */
export function textAt(node: XmlNode | undefined, ...names: string[]): string {
  let current = node
  for (const name of names) current = current?.children.find((child) => child.name === name)
  const text = current?.text.trim() ?? ''
  return text === '$@NULL@$' ? '' : text
}
