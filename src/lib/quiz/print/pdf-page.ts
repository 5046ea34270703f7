import { drawFormula } from '#lib/core/pdf/draw-formula.ts'
import type { HotspotShape } from '../question/schema.ts'
import type { Formulas } from './formulas.ts'
import { breakLines, type LineSegment } from './pdf-lines.ts'
import type { PrintedBlock, PrintedChoice, TextRun } from './printed.ts'

/** An opened image, which is embedded once for all its places. */
interface PdfImage {
  width: number
  height: number
}

/** With the method that the types of pdfkit do not have. */
export type PdfDocument = InstanceType<typeof import('pdfkit')> & { openImage(bytes: Buffer): PdfImage }

const SIZE = 11
const LINE = 1.35
const GAP = 4
const MAX_IMAGE_HEIGHT = 240
const WRITING_LINE = 24
const FORMULA_GAP = 2
/** From the top of a line of text to its baseline, as a share of its size: of the font Literata. */
const ASCENT = 1.177
/** The oblique angle of italics: the font has no italic file. */
const OBLIQUE = true

interface TextOptions {
  size?: number
  indent?: number
  marker?: string | undefined
  choice?: PrintedChoice | undefined
}

/** Draws blocks below each other on the pages of a document. */
export class PdfPage {
  readonly #document: PdfDocument
  readonly #images: ReadonlyMap<string, Buffer>
  readonly #formulas: Formulas
  readonly #opened = new Map<string, PdfImage>()

  constructor(document: PdfDocument, content: { images: ReadonlyMap<string, Buffer>; formulas: Formulas }) {
    this.#document = document
    this.#images = content.images
    this.#formulas = content.formulas
  }

  blocks(list: readonly PrintedBlock[]): void {
    for (const block of list) this.#block(block)
  }

  /** A heading with blocks that stay on one page; what is longer than a page begins on a new one. */
  keepTogether(heading: readonly TextRun[], blocks: readonly PrintedBlock[]): void {
    const { y } = this.#document
    const headingHeight = heading.length > 0 ? this.#textHeight(heading, { size: 13 }) + GAP * 3 : 0
    const height = headingHeight + blocks.reduce((sum, block) => sum + this.#heightOf(block), 0) + GAP * 2
    if (y + height > this.#bottom && y > this.#top) this.#document.addPage()
    if (heading.length > 0) {
      this.#document.y += GAP * 2
      this.text(heading, { size: 13 })
    }
    this.#document.y += GAP * 2
    this.blocks(blocks)
  }

  text(runs: readonly TextRun[], { size = SIZE, indent = 0, marker, choice }: TextOptions = {}): void {
    const lines = this.#linesOf(runs, size, indent)
    for (const [index, segments] of lines.entries()) {
      const { above, height } = this.#lineSize(segments, { size, indent })
      this.#makeRoom(height)
      const top = this.#document.y
      const y = top + above
      const x = this.#left + indent
      if (index === 0 && marker !== undefined) this.#marker(marker, x, y, size)
      if (index === 0 && choice) this.#choice(choice, x, y, size)
      for (const segment of segments) this.#segment(segment, { x: x + segment.x, y, size, indent })
      this.#document.y = top + height
    }
    this.#document.y += GAP
  }

  /** Lines for the name and the date. */
  nameLine(name: string, date: string): void {
    const document = this.#document
    const y = document.y + 18
    const dateX = this.#left + this.#width * 0.68
    this.#style({ text: '' }, 10)
    const draw = (label: string, x: number, end: number) => {
      document.text(label, x, y, { lineBreak: false })
      document
        .moveTo(x + document.widthOfString(label) + 6, y + 12)
        .lineTo(end, y + 12)
        .lineWidth(0.6)
        .stroke()
    }
    draw(name, this.#left, dateX - 12)
    draw(date, dateX, this.#left + this.#width)
    document.y = y + 30
  }

  /** Writes the number of each page at its foot. */
  numberPages(label: string): void {
    const { start, count } = this.#document.bufferedPageRange()
    for (let index = start; index < start + count; index += 1) {
      this.#document.switchToPage(index)
      this.#style({ text: '' }, 9)
      const text = label.replace('{{page}}', String(index + 1)).replace('{{pages}}', String(count))
      const x = this.#left + this.#width - this.#document.widthOfString(text)
      // Text below the margin would begin a page.
      this.#document.page.margins.bottom = 0
      this.#document.text(text, x, this.#document.page.height - 36, { lineBreak: false })
    }
  }

  get #left(): number {
    return this.#document.page.margins.left
  }

  get #top(): number {
    return this.#document.page.margins.top
  }

  get #bottom(): number {
    return this.#document.page.height - this.#document.page.margins.bottom
  }

  get #width(): number {
    return this.#document.page.width - this.#left - this.#document.page.margins.right
  }

  #block(block: PrintedBlock): void {
    if (block.kind === 'text') this.text(block.runs, block)
    else if (block.kind === 'image') this.#image(block)
    else {
      for (let count = 0; count < block.count; count += 1) {
        this.#makeRoom(WRITING_LINE)
        const y = this.#document.y + WRITING_LINE - 4
        this.#document
          .moveTo(this.#left + block.indent, y)
          .lineTo(this.#left + this.#width, y)
          .lineWidth(0.5)
          .stroke('#888888')
        this.#document.y += WRITING_LINE
      }
      this.#document.y += GAP
    }
  }

  #heightOf(block: PrintedBlock): number {
    if (block.kind === 'text') return this.#textHeight(block.runs, block)
    if (block.kind === 'lines') return block.count * WRITING_LINE + GAP
    const size = this.#imageSize(block.fileId, block.indent)
    return size ? size.height + GAP * 2 : 0
  }

  #textHeight(runs: readonly TextRun[], { size = SIZE, indent = 0 }: TextOptions): number {
    return (
      this.#linesOf(runs, size, indent).reduce((sum, line) => sum + this.#lineSize(line, { size, indent }).height, 0) +
      GAP
    )
  }

  #linesOf(runs: readonly TextRun[], size: number, indent: number): LineSegment[][] {
    const drawable = runs.map(({ formula, ...run }) => {
      const typeset = formula && this.#formulas.find({ ...run, formula })
      return typeset ? { ...run, formula } : run
    })
    return breakLines(drawable, this.#width - indent, (run) => {
      const formula = this.#formulas.find(run)
      if (formula) return formula.width * this.#formulaSize(formula, { size, indent })
      this.#style(run, size)
      return this.#document.widthOfString(run.text)
    })
  }

  /** Formulas that are wider than the page are made smaller. */
  #formulaSize({ width }: { width: number }, { size, indent }: { size: number; indent: number }): number {
    return Math.min(size, (this.#width - indent) / Math.max(width, 0.1))
  }

  /** The height of a line, and the part of it that high formulas need above the text. */
  #lineSize(
    segments: readonly LineSegment[],
    place: { size: number; indent: number },
  ): { above: number; height: number } {
    const ascent = ASCENT * place.size
    let [above, below] = [0, place.size * LINE - ascent]
    for (const segment of segments) {
      const formula = this.#formulas.find(segment)
      if (!formula) continue
      const size = this.#formulaSize(formula, place)
      above = Math.max(above, formula.height * size + FORMULA_GAP - ascent)
      below = Math.max(below, formula.depth * size + FORMULA_GAP)
    }
    return { above, height: above + ascent + below }
  }

  #segment(segment: LineSegment, { x, y, size, indent }: { x: number; y: number; size: number; indent: number }): void {
    this.#style(segment, size)
    const formula = this.#formulas.find(segment)
    if (formula) {
      const formulaSize = this.#formulaSize(formula, { size, indent })
      drawFormula(this.#document, formula, { x, y: y + ASCENT * size, size: formulaSize })
    } else {
      this.#document.text(segment.text, x, y, { lineBreak: false, oblique: segment.italic ? OBLIQUE : false })
    }
  }

  #style({ bold = false }: TextRun, size: number): void {
    this.#document
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor('#000000')
      .strokeColor('#000000')
  }

  /** A number or letter to the left of the text. */
  #marker(marker: string, x: number, y: number, size: number): void {
    this.#style({ text: marker }, size)
    this.#document.text(marker, Math.max(this.#left, x - this.#document.widthOfString(marker) - 5), y, {
      lineBreak: false,
    })
  }

  #choice({ round, filled }: PrintedChoice, x: number, y: number, size: number): void {
    const document = this.#document
    const side = size * 0.8
    const [left, top] = [x - side - 6, y + size * 0.28]
    if (round) document.circle(left + side / 2, top + side / 2, side / 2)
    else document.rect(left, top, side, side)
    document.lineWidth(0.8)
    if (filled) document.fillAndStroke('#000000', '#000000')
    else document.stroke('#000000')
  }

  #image({ fileId, indent, regions }: Extract<PrintedBlock, { kind: 'image' }>): void {
    const size = this.#imageSize(fileId, indent)
    if (!size) return
    this.#makeRoom(size.height)
    const [x, y] = [this.#left + indent, this.#document.y]
    this.#document.image(size.image as never, x, y, { width: size.width, height: size.height })
    this.#document.lineWidth(1.5)
    for (const { shape } of regions) {
      outline(this.#document, shape, { x, y, ...size })
      this.#document.stroke('#c00000')
    }
    this.#document.y = y + size.height + GAP * 2
  }

  #imageSize(fileId: string, indent: number): { width: number; height: number; image: PdfImage } | null {
    const image = this.#openImage(fileId)
    if (!image) return null
    // 96 pixels are an inch; small images keep their size.
    const scale = Math.min(0.75, (this.#width - indent) / image.width, MAX_IMAGE_HEIGHT / image.height)
    return { width: image.width * scale, height: image.height * scale, image }
  }

  #openImage(fileId: string): PdfImage | null {
    const known = this.#opened.get(fileId)
    if (known) return known
    const bytes = this.#images.get(fileId)
    if (!bytes) return null
    const image = this.#document.openImage(bytes)
    this.#opened.set(fileId, image)
    return image
  }

  #makeRoom(height: number): void {
    if (this.#document.y + height > this.#bottom && this.#document.y > this.#top) this.#document.addPage()
  }
}

/** The path of a region; coordinates are shares of the image. */
function outline(
  document: PdfDocument,
  shape: HotspotShape,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  if (shape.kind === 'rectangle')
    document.rect(x + shape.x * width, y + shape.y * height, shape.width * width, shape.height * height)
  else if (shape.kind === 'ellipse')
    document.ellipse(x + shape.x * width, y + shape.y * height, shape.radiusX * width, shape.radiusY * height)
  else document.polygon(...shape.points.map(([px, py]): [number, number] => [x + px * width, y + py * height]))
}
