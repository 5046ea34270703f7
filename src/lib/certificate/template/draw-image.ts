import { readFile } from 'node:fs/promises'
import { createCanvas, GlobalFonts, type Image, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { encode } from 'uqr'
import { FONT_STYLES, fontFileOf, registeredFontFamilyOf } from './font-files.ts'
import {
  type CertificateLayoutInput,
  type Drawing,
  layoutTemplate,
  MARK_BASELINE,
  type Mark,
  type PageLayout,
} from './layout-rules.ts'

export interface ImageInput extends CertificateLayoutInput {
  /** Images by the id of their file; the logo of the school is `logo`. */
  images: Record<string, Uint8Array>
}

/** Size of the preview image that all networks support (Open Graph). */
const SHARE = { width: 1200, height: 630, margin: 36, paper: '#e4e7ec' } as const

/** Draws a certificate as PNG of a width in pixels. */
export async function drawCertificate(input: ImageInput, widthPx: number): Promise<Buffer> {
  await loadFonts()
  const layout = layoutOnCanvas(input)
  const scale = widthPx / layout.width
  const canvas = createCanvas(widthPx, Math.round(layout.height * scale))
  await drawLayout(canvas.getContext('2d'), layout, input.images, scale)
  return canvas.encode('png')
}

/** Draws the preview image of the public page for social networks: the certificate on a plain background. */
export async function drawShareImage(input: ImageInput): Promise<Buffer> {
  await loadFonts()
  const layout = layoutOnCanvas(input)
  const scale = Math.min(
    (SHARE.width - 2 * SHARE.margin) / layout.width,
    (SHARE.height - 2 * SHARE.margin) / layout.height,
  )
  const canvas = createCanvas(SHARE.width, SHARE.height)
  const context = canvas.getContext('2d')
  context.fillStyle = SHARE.paper
  context.fillRect(0, 0, SHARE.width, SHARE.height)
  context.translate((SHARE.width - layout.width * scale) / 2, (SHARE.height - layout.height * scale) / 2)
  await drawLayout(context, layout, input.images, scale)
  return canvas.encode('png')
}

function layoutOnCanvas(input: ImageInput): PageLayout {
  const context = createCanvas(1, 1).getContext('2d')
  // Measured at a large size, because small sizes are rounded to pixels.
  const measuredPx = 200
  return layoutTemplate(input, (text, style, size) => {
    context.font = `${measuredPx}px ${registeredFontFamilyOf(style)}`
    return (context.measureText(text).width / measuredPx) * size
  })
}

async function drawLayout(
  context: SKRSContext2D,
  layout: PageLayout,
  images: Record<string, Uint8Array>,
  scale: number,
): Promise<void> {
  context.fillStyle = layout.background
  context.fillRect(0, 0, layout.width * scale, layout.height * scale)
  const background = layout.backgroundFileId ? await decode(images[layout.backgroundFileId]) : null
  if (background) drawCover(context, background, layout.width * scale, layout.height * scale)
  for (const drawing of layout.drawings) await drawPart(context, drawing, images, scale)
  if (layout.mark) drawMark(context, layout.mark, scale)
}

function drawMark(context: SKRSContext2D, mark: Mark, scale: number): void {
  context.save()
  context.translate(mark.x * scale, mark.y * scale)
  context.rotate((mark.degrees * Math.PI) / 180)
  context.globalAlpha = mark.opacity
  context.fillStyle = mark.color
  context.font = `${mark.size * scale}px ${registeredFontFamilyOf(mark)}`
  context.fillText(mark.text, (-mark.width / 2) * scale, mark.size * scale * MARK_BASELINE)
  context.restore()
}

async function drawPart(
  context: SKRSContext2D,
  drawing: Drawing,
  images: Record<string, Uint8Array>,
  scale: number,
): Promise<void> {
  if (drawing.kind === 'image') {
    const image = await decode(images[drawing.fileId ?? 'logo'])
    if (image) drawInside(context, image, drawing, scale)
    return
  }
  context.fillStyle = drawing.color
  if (drawing.kind === 'rect') {
    context.fillRect(drawing.x * scale, drawing.y * scale, drawing.w * scale, Math.max(drawing.h * scale, 0.75))
  } else if (drawing.kind === 'text') {
    context.font = `${drawing.size * scale}px ${registeredFontFamilyOf(drawing)}`
    context.fillText(drawing.text, drawing.x * scale, drawing.baseline * scale)
  } else {
    const { data, size } = encode(drawing.value, { ecc: 'M', border: 0 })
    const module = (drawing.side * scale) / size
    for (const [row, cells] of data.entries())
      for (const [column, isDark] of cells.entries())
        if (isDark)
          context.fillRect(
            drawing.x * scale + column * module,
            drawing.y * scale + row * module,
            module + 0.3,
            module + 0.3,
          )
  }
}

function drawInside(
  context: SKRSContext2D,
  image: Image,
  frame: { x: number; y: number; w: number; h: number },
  scale: number,
): void {
  const ratio = Math.min((frame.w * scale) / image.width, (frame.h * scale) / image.height)
  const [width, height] = [image.width * ratio, image.height * ratio]
  const x = frame.x * scale + (frame.w * scale - width) / 2
  const y = frame.y * scale + (frame.h * scale - height) / 2
  context.drawImage(image, x, y, width, height)
}

function drawCover(context: SKRSContext2D, image: Image, width: number, height: number): void {
  const ratio = Math.max(width / image.width, height / image.height)
  const [drawnWidth, drawnHeight] = [image.width * ratio, image.height * ratio]
  context.save()
  context.beginPath()
  context.rect(0, 0, width, height)
  context.clip()
  context.drawImage(image, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight)
  context.restore()
}

/** An image that cannot be decoded is omitted. */
async function decode(bytes: Uint8Array | undefined): Promise<Image | null> {
  return bytes ? loadImage(Buffer.from(bytes)).catch(() => null) : null
}

let fonts: Promise<void> | undefined

function loadFonts(): Promise<void> {
  fonts ??= registerFonts()
  return fonts
}

async function registerFonts(): Promise<void> {
  for (const style of FONT_STYLES)
    GlobalFonts.register(await readFile(fontFileOf(style)), registeredFontFamilyOf(style))
}
