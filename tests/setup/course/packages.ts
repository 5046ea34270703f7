import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

export interface Member {
  name: string
  bytes: Uint8Array | string
  /** Unix mode, e.g. 0o120777 of a symbolic link. */
  mode?: number
  /** Declared size, where it is wrong. */
  size?: number
  encrypted?: boolean
  /** The bytes of a name that is not marked as Unicode. */
  rawName?: Buffer
}

/** A deflated ZIP (APPNOTE 4.3), with the declared names and sizes of the members. */
export function zipOf(members: readonly Member[]): Buffer<ArrayBuffer> {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, bytes, mode = 0o100644, size, encrypted = false, rawName } of members) {
    const plain = Buffer.from(bytes)
    const packed = deflateRawSync(plain)
    const path = rawName ?? Buffer.from(name)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE((rawName ? 0 : 0x800) | (encrypted ? 1 : 0), 2)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(0x5a210000, 6)
    shared.writeUInt32LE(crc32(plain), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(size ?? plain.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((mode << 16) >>> 0, 6)
    tail.writeUInt32LE(at, 10)
    const head = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), shared])
    directory.push(Buffer.concat([head, tail, path]))
    locals.push(local)
    at += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, central, end])
}

/** The same as a gzipped tar. */
export async function tarOf(members: readonly (Member & { link?: string })[]): Promise<Buffer<ArrayBuffer>> {
  const tar = pack()
  for (const { name, bytes, link } of members) {
    if (link) tar.entry({ name, type: 'symlink', linkname: link })
    else tar.entry({ name }, Buffer.from(bytes))
  }
  tar.finalize()
  return Buffer.from(gzipSync(await buffer(tar)))
}

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

/** A document as written by Word: the parts that readers need, and the given body. */
export function docxOf(body: string, more: readonly Member[] = []): Buffer<ArrayBuffer> {
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types'
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const style = (id: string, name: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
  return zipOf([
    {
      name: '[Content_Types].xml',
      bytes: `<?xml version="1.0"?><Types xmlns="${types}"><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      bytes: `<?xml version="1.0"?><Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      bytes: `<?xml version="1.0"?><Relationships xmlns="${relations}"><Relationship Id="s1" Type="${office}/styles" Target="styles.xml"/><Relationship Id="p1" Type="${office}/image" Target="media/1.png"/><Relationship Id="l1" Type="${office}/hyperlink" Target="https://example.org/a" TargetMode="External"/></Relationships>`,
    },
    {
      name: 'word/styles.xml',
      bytes: `<?xml version="1.0"?><w:styles xmlns:w="${word}">${style('Title', 'Title')}${style('H1', 'heading 1')}${style('H2', 'heading 2')}${style('H3', 'heading 3')}</w:styles>`,
    },
    {
      name: 'word/document.xml',
      bytes: `<?xml version="1.0"?><w:document xmlns:w="${word}" xmlns:r="${office}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}</w:body></w:document>`,
    },
    { name: 'word/media/1.png', bytes: PIXEL },
    ...more,
  ])
}

/** A paragraph of a document, with an optional style. */
export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** The picture that is included by `docxOf`. */
export const PICTURE = `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="Мікрофон"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="p1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
