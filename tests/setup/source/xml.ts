import { Parser } from 'htmlparser2'

export interface XmlNode {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
}

/** An XML file as nodes without prefixes; the text of a node is its own and that of all below it. */
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

/** Nodes of a name anywhere below, in order. */
export function findAll(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)])
}

/** The text of the first child down a path of names, empty for none and for Moodle's null. */
export function textAt(node: XmlNode | undefined, ...names: string[]): string {
  let current = node
  for (const name of names) current = current?.children.find((child) => child.name === name)
  const text = current?.text.trim() ?? ''
  return text === '$@NULL@$' ? '' : text
}
