import { buffer } from 'node:stream/consumers'
import { makeZip } from 'client-zip'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { decodeMarkupText, type Markup, parseHtml } from '../markup.ts'
import { splitTable } from '../package/split-tables.ts'
import { withLinearMath } from './docx-math.ts'
import { withListNumbers, withListStarts } from './docx-numbering.ts'
import { separatePages, withPageBreaks } from './docx-pages.ts'

export const WORD_DOCUMENT = 'word/document.xml'
/** Maximum unpacked size of a document in bytes: the library keeps all of it in memory. */
const MAX_UNPACKED_BYTES = 256 * 1024 ** 2
const FORMULA_FILES = new Set([WORD_DOCUMENT, 'word/footnotes.xml', 'word/endnotes.xml'])

/** Stores an image of a document and returns its address; null when images are not needed. */
export type StoreImage = ((bytes: Buffer, contentType: string) => Promise<string>) | null

/**
 * A Word document as HTML: formulas as text, page breaks as PAGE_BREAK between the elements. Refuses with unprocessable
 * (import_xml, archive_damaged), too_large.
 */
export async function readDocxMarkup(archive: Archive, storeImage: StoreImage): Promise<Markup[]> {
  await requireSafe(archive)
  const html = await convertToHtml(await prepareDocument(archive, storeImage !== null), storeImage)
  return separatePages(withListStarts(parseHtml(html).children)).flatMap(splitLargeTable)
}

/** The library unpacks everything first, so the sizes are checked before. */
async function requireSafe(archive: Archive): Promise<void> {
  let totalBytes = 0
  for (const name of archive.names) {
    totalBytes += archive.sizeOf(name)
    if (totalBytes > MAX_UNPACKED_BYTES) throw new Refusal('too_large')
  }
  for (const name of archive.names.filter(isXml)) {
    const bytes = await archive.read(name)
    if (bytes && /<!(doctype|entity)/i.test(decodeMarkupText(bytes))) {
      throw new Refusal('unprocessable', { fields: { file: ['import_xml'] }, variables: { path: name } })
    }
  }
}

const isXml = (name: string): boolean => /\.(xml|rels)$/i.test(name)

/**
 * Adds content to the document that the library ignores: formulas, and page breaks that are properties of paragraphs.
 */
async function prepareDocument(archive: Archive, withImages: boolean): Promise<Buffer> {
  async function* entries() {
    for (const name of archive.names) {
      if (!withImages && !isXml(name)) continue
      const bytes = (await archive.read(name)) ?? Buffer.alloc(0)
      yield { name, input: FORMULA_FILES.has(name) ? prepareXml(name, decodeMarkupText(bytes)) : bytes }
    }
  }
  return buffer(makeZip(entries()))
}

function prepareXml(name: string, xml: string): string {
  const text = withLinearMath(xml)
  return name === WORD_DOCUMENT ? withPageBreaks(withListNumbers(text)) : text
}

async function convertToHtml(file: Buffer, storeImage: StoreImage): Promise<string> {
  // Imported on demand, because the library takes memory that a process without imports does not need.
  const { default: mammoth } = await import('mammoth')
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: file },
      {
        convertImage: mammoth.images.imgElement(async (image) => ({
          src: storeImage ? await storeImage(await image.readAsBuffer(), image.contentType) : '',
        })),
        styleMap: [
          "p[style-name='Title'] => h1.title:fresh",
          "p[style-name='Subtitle'] => p:fresh",
          "br[type='page'] => br.page:fresh",
        ],
        externalFileAccess: false,
      },
    )
    return value
  } catch (error) {
    if (error instanceof Refusal) throw error
    // Every error that the library throws for an uploaded file means that it is damaged.
    throw new Refusal('unprocessable', { fields: { file: ['archive_damaged'] } })
  }
}

/** Divides a table with more columns or rows than a lesson can store. */
function splitLargeTable(node: Markup): Markup[] {
  return typeof node !== 'string' && node.name === 'table' ? splitTable(node) : [node]
}
