import { createRequire } from 'node:module'
import { encode } from 'uqr'
import { FONT_STYLES, fontFileOf, registeredFontFamilyOf } from './font-files.ts'
import {
  type CertificateLayoutInput,
  type Drawing,
  type FontStyle,
  layoutTemplate,
  MARK_BASELINE,
  type Mark,
  type PageLayout,
} from './layout-rules.ts'

export interface PdfInput extends CertificateLayoutInput {
  /** Images by the id of their file; the logo of the school is `logo`. */
  images: Record<string, Uint8Array>
  title: string
  author: string
  /** ISO instant of the issue. */
  createdAt: string
}

// An import would resolve to the browser build, which has no file system.
const PDFDocument: typeof import('pdfkit') = createRequire(import.meta.url)('pdfkit')

const POINTS_PER_MM = 72 / 25.4
const LOGO = 'logo'
const MAX_IMAGE_SIDE_PX = 2500
/** Maximum pixels of an image, against decompression bombs. */
const MAX_PIXELS = 50_000_000

/** Renders a certificate as PDF/A-2b with embedded fonts, tagged for screen readers; runs in a worker process. */
export async function renderPdf(input: PdfInput): Promise<Uint8Array> {
  const document = new PDFDocument({
    autoFirstPage: false,
    pdfVersion: '1.7',
    subset: 'PDF/A-2b',
    tagged: true,
    displayTitle: true,
    lang: input.template.locale,
    info: { Title: input.title, Author: input.author, CreationDate: new Date(input.createdAt) },
  })
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => {
    document.on('end', resolve)
    document.on('error', reject)
  })
  for (const style of FONT_STYLES) document.registerFont(registeredFontFamilyOf(style), fontFileOf(style))
  const layout = layoutTemplate(input, (text, style, size) => {
    document.font(registeredFontFamilyOf(style)).fontSize(size * POINTS_PER_MM)
    return document.widthOfString(text) / POINTS_PER_MM
  })
  const pictures = await preparePictures(layout, input.images)
  document.addPage({ size: [layout.width * POINTS_PER_MM, layout.height * POINTS_PER_MM], margin: 0 })
  drawPage(document, layout, pictures)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

type PdfDocument = InstanceType<typeof import('pdfkit')>

function drawPage(document: PdfDocument, layout: PageLayout, pictures: ReadonlyMap<string, Picture>): void {
  asArtifact(document, () => {
    document.rect(0, 0, layout.width * POINTS_PER_MM, layout.height * POINTS_PER_MM).fill(layout.background)
    const background = layout.backgroundFileId ? pictures.get(layout.backgroundFileId) : undefined
    if (background) {
      const cover: [number, number] = [layout.width * POINTS_PER_MM, layout.height * POINTS_PER_MM]
      document.image(background.bytes, 0, 0, { cover, align: 'center', valign: 'center' })
    }
  })
  const root = document.struct('Document')
  document.addStructure(root)
  for (const drawing of layout.drawings) {
    if (drawing.kind === 'text') root.add(document.struct('P', {}, () => drawText(document, drawing)))
    else asArtifact(document, () => drawGraphic(document, drawing, pictures))
  }
  const { mark } = layout
  if (mark) root.add(document.struct('P', {}, () => drawMark(document, mark)))
  root.end()
}

/** Marks a decorative element, which screen readers skip. */
function asArtifact(document: PdfDocument, draw: () => void): void {
  document.markContent('Artifact', { type: 'Layout' })
  draw()
  document.endMarkedContent()
}

function drawText(document: PdfDocument, text: Extract<Drawing, { kind: 'text' }>): void {
  document
    .font(registeredFontFamilyOf(text satisfies FontStyle))
    .fontSize(text.size * POINTS_PER_MM)
    .fillColor(text.color)
    .text(text.text, text.x * POINTS_PER_MM, text.baseline * POINTS_PER_MM, {
      lineBreak: false,
      baseline: 'alphabetic',
    })
}

function drawMark(document: PdfDocument, mark: Mark): void {
  const [x, y] = [mark.x * POINTS_PER_MM, mark.y * POINTS_PER_MM]
  const size = mark.size * POINTS_PER_MM
  document
    .save()
    .rotate(mark.degrees, { origin: [x, y] })
    .font(registeredFontFamilyOf(mark))
    .fontSize(size)
    .fillColor(mark.color, mark.opacity)
    .text(mark.text, x - (mark.width / 2) * POINTS_PER_MM, y + size * MARK_BASELINE, {
      lineBreak: false,
      baseline: 'alphabetic',
    })
    .restore()
}

function drawGraphic(
  document: PdfDocument,
  drawing: Exclude<Drawing, { kind: 'text' }>,
  pictures: ReadonlyMap<string, Picture>,
): void {
  const points = (millimetres: number) => millimetres * POINTS_PER_MM
  if (drawing.kind === 'rect') {
    document.rect(points(drawing.x), points(drawing.y), points(drawing.w), points(drawing.h)).fill(drawing.color)
    return
  }
  if (drawing.kind === 'qr') {
    drawQr(document, drawing)
    return
  }
  const picture = pictures.get(drawing.fileId ?? LOGO)
  if (!picture) return
  const fit: [number, number] = [points(drawing.w), points(drawing.h)]
  document.image(picture.bytes, points(drawing.x), points(drawing.y), { fit, align: 'center', valign: 'center' })
}

function drawQr(document: PdfDocument, { x, y, side, color, value }: Extract<Drawing, { kind: 'qr' }>): void {
  const { data, size } = encode(value, { ecc: 'M', border: 0 })
  const module = (side * POINTS_PER_MM) / size
  for (const [row, cells] of data.entries()) {
    for (const [column, isDark] of cells.entries()) {
      // A small overlap, so that viewers show no gaps between the modules.
      if (isDark)
        document.rect(
          x * POINTS_PER_MM + column * module,
          y * POINTS_PER_MM + row * module,
          module * 1.02,
          module * 1.02,
        )
    }
  }
  document.fill(color)
}

interface Picture {
  bytes: Buffer
}

/** PDF supports PNG and JPEG only; images that cannot be decoded are omitted. */
async function preparePictures(layout: PageLayout, images: Record<string, Uint8Array>): Promise<Map<string, Picture>> {
  const { default: sharp } = await import('sharp')
  const pictures = new Map<string, Picture>()
  for (const [id, bytes] of Object.entries(images)) {
    const resized = sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .resize({ width: MAX_IMAGE_SIDE_PX, height: MAX_IMAGE_SIDE_PX, fit: 'inside', withoutEnlargement: true })
    const isBackground = id === layout.backgroundFileId
    const encoded = isBackground
      ? resized.flatten({ background: layout.background }).jpeg({ quality: 88 })
      : resized.png()
    const picture = await encoded.toBuffer().catch(() => null)
    if (picture) pictures.set(id, { bytes: picture })
  }
  return pictures
}
