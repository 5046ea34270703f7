import { Parser } from 'htmlparser2'

/** Calls the handlers for the tags and texts of an XML part; names are without their namespace prefix. */
export function readXmlEvents(
  xml: string,
  open: (name: string, attributes: Record<string, string>) => void,
  close: (name: string) => void = () => {},
  text: (data: string) => void = () => {},
): void {
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(local(name), attributes),
      onclosetag: (name) => close(local(name)),
      ontext: text,
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
}
