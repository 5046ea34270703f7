import { createRequire } from 'node:module'
import { fontPath } from '#lib/core/pdf/font-files.ts'
import { typesetFormulas } from './formulas.ts'
import { type PdfDocument, PdfPage } from './pdf-page.ts'
import type { PrintedTest } from './printed.ts'

// An import would be resolved to the build for browsers, which has no file system.
const PDFDocument: typeof import('pdfkit') = createRequire(import.meta.url)('pdfkit')

const MARGIN = 56
const MAX_IMAGE_SIDE_PX = 1600
/** Pixels of a picture, against decompression bombs. */
const MAX_PIXELS = 50_000_000

/** Task of a worker process: draws a test on A4 with embedded fonts. */
export async function renderTestPdf(test: PrintedTest): Promise<Uint8Array> {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
    bufferPages: true,
    displayTitle: true,
    lang: test.lang,
    info: { Title: test.title },
  })
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => {
    document.on('end', resolve)
    document.on('error', reject)
  })
  document.registerFont('regular', fontPath('literata', 400))
  document.registerFont('bold', fontPath('literata', 700))
  const blocks = [...test.intro, ...test.questions.flatMap((question) => question.blocks)]
  const [images, formulas] = [await prepareImages(test.images), await typesetFormulas(blocks)]
  const page = new PdfPage(document as PdfDocument, { images, formulas })
  drawTest(page, test)
  page.numberPages(test.pageLabel)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

function drawTest(page: PdfPage, test: PrintedTest): void {
  page.text([{ text: test.title, bold: true }], { size: 17 })
  page.text([{ text: test.facts.join(' · ') }], { size: 10 })
  page.nameLine(test.nameLabel, test.dateLabel)
  page.blocks(test.intro)
  for (const { sectionTitle, blocks } of test.questions) {
    const heading = sectionTitle === '' ? [] : [{ text: sectionTitle, bold: true }]
    page.keepTogether(heading, blocks)
  }
}

/** PDF takes PNG and JPEG only; images that cannot be decoded are omitted. */
async function prepareImages(images: PrintedTest['images']): Promise<Map<string, Buffer>> {
  const { default: sharp } = await import('sharp')
  const prepared = new Map<string, Buffer>()
  for (const [id, bytes] of Object.entries(images)) {
    const encoded = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .resize({ width: MAX_IMAGE_SIDE_PX, height: MAX_IMAGE_SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 88 })
      .toBuffer()
      .catch(() => null)
    if (encoded) prepared.set(id, encoded)
  }
  return prepared
}
