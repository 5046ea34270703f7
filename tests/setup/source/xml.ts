import { Parser } from 'htmlparser2'

export interface XmlNode {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
}

/** An XML file as nodes without prefixes; the text of a node is its own and that of all below it. */
export function nodesOf(xml: Buffer | string | undefined): XmlNode {
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
export function all(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])
}

/** The text of the first child down a path of names, empty for none and for Moodle's null. */
export function at(node: XmlNode | undefined, ...names: string[]): string {
  let found = node
  for (const name of names) found = found?.children.find((child) => child.name === name)
  const text = found?.text.trim() ?? ''
  return text === '$@NULL@$' ? '' : text
}
