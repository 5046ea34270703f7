import { createRequire } from 'node:module'
import { fontPath } from '#lib/core/pdf/font-files.ts'

// An import would be resolved to the build for browsers, which has no file system.
const PDFDocument: typeof import('pdfkit') = createRequire(import.meta.url)('pdfkit')

const MARGIN = 56
const LABEL_WIDTH = 150
const GAP = 8

/** An invoice or act in the language of its reader. */
export interface PrintedInvoice {
  lang: string
  title: string
  /** Labels and values: recipient, account, buyer. */
  facts: readonly (readonly [label: string, value: string])[]
  /** What is bought, and its amount. */
  item: { heading: string; text: string; amountHeading: string; amount: string }
  total: readonly [label: string, value: string]
  notes: readonly string[]
  /** Labels of two lines for signatures. */
  signatures?: readonly [string, string] | undefined
}

/** Task of a worker process: draws an invoice on A4 with embedded fonts. */
export async function renderInvoice(invoice: PrintedInvoice): Promise<Uint8Array> {
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    displayTitle: true,
    lang: invoice.lang,
    info: { Title: invoice.title },
  })
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => {
    document.on('end', resolve)
    document.on('error', reject)
  })
  document.registerFont('regular', fontPath('onest', 400))
  document.registerFont('bold', fontPath('onest', 700))
  const width = document.page.width - 2 * MARGIN
  document.font('bold').fontSize(18).text(invoice.title, { width }).moveDown()
  document.fontSize(11)
  for (const [label, value] of invoice.facts) row(document, width, [label, value])
  const { heading, text, amountHeading, amount } = invoice.item
  line(document, width)
  columns(document, width, ['bold', heading, amountHeading])
  columns(document, width, ['regular', text, amount])
  line(document, width)
  columns(document, width, ['bold', ...invoice.total])
  document.moveDown().font('regular').fontSize(10)
  for (const note of invoice.notes) document.text(note, MARGIN, document.y, { width }).moveDown(0.5)
  if (invoice.signatures) signatureLines(document, width, invoice.signatures)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

type PdfDocument = InstanceType<typeof PDFDocument>

function row(document: PdfDocument, width: number, [label, value]: readonly [string, string]): void {
  const { y } = document
  document.font('regular').text(label, MARGIN, y, { width: LABEL_WIDTH })
  const labelEnd = document.y
  document.font('bold').text(value, MARGIN + LABEL_WIDTH + GAP, y, { width: width - LABEL_WIDTH - GAP })
  document.y = Math.max(labelEnd, document.y) + GAP / 2
}

function signatureLines(document: PdfDocument, width: number, labels: readonly [string, string]): void {
  const y = document.y + 4 * GAP
  const half = (width - MARGIN) / 2
  for (const [index, label] of labels.entries()) {
    const x = MARGIN + index * (half + MARGIN)
    document
      .moveTo(x, y)
      .lineTo(x + half, y)
      .lineWidth(0.6)
      .stroke()
    document.fontSize(10).text(label, x, y + GAP / 2, { width: half })
  }
}

function columns(
  document: PdfDocument,
  width: number,
  [font, text, amount]: readonly [font: 'regular' | 'bold', text: string, amount: string],
): void {
  const { y } = document
  const amountWidth = 130
  document.font(font).text(amount, MARGIN + width - amountWidth, y, { width: amountWidth, align: 'right' })
  document.text(text, MARGIN, y, { width: width - amountWidth - GAP })
  document.y += GAP / 2
}

function line(document: PdfDocument, width: number): void {
  const y = document.y + GAP
  document
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + width, y)
    .lineWidth(0.6)
    .stroke()
  document.y = y + GAP
}
