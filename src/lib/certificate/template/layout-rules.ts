import { pageSizeMm } from '#lib/certificate/state-schema.ts'
import { fillText, type VariableTexts } from './fill-rules.ts'
import type { TemplateElement, TemplateText } from './schema.ts'

/*
 * Computes the positions of the parts of a certificate, in millimetres. The PDF, the share image and the preview of the
 * editor draw the same list, each with its own text measurement.
 */

export interface FontStyle {
  font: 'onest' | 'literata'
  weight: 400 | 600 | 700
}

/** Width of a text in millimetres at a size in millimetres. */
export type MeasureText = (text: string, style: FontStyle, size: number) => number

export type Drawing =
  | ({
      kind: 'text'
      elementId: string
      text: string
      x: number
      baseline: number
      size: number
      color: string
    } & FontStyle)
  | { kind: 'rect'; elementId: string; x: number; y: number; w: number; h: number; color: string }
  | { kind: 'image'; elementId: string; x: number; y: number; w: number; h: number; fileId: string | null }
  | { kind: 'qr'; elementId: string; x: number; y: number; side: number; color: string; value: string }

export interface PageLayout {
  width: number
  height: number
  background: string
  backgroundFileId: string | null
  drawings: Drawing[]
  mark: Mark | null
}

/** A text across the whole page, from the lower left to the upper right, above all other parts. */
export interface Mark extends FontStyle {
  text: string
  /** The center of the text, and its size and width. */
  x: number
  y: number
  size: number
  width: number
  degrees: number
  color: string
  opacity: number
}

export interface CertificateLayoutInput {
  template: TemplateText
  texts: VariableTexts
  /** URL of the QR code. */
  link: string
  /** Color of the school, `#rrggbb`. */
  color: string
  /** Says that the certificate is not valid any more. */
  mark?: string | null
}

const MM_PER_POINT = 25.4 / 72
const LINE_HEIGHT = 1.28
/** Distance from the top of a line to its baseline, as a share of the line height. */
const ASCENT = 0.76
const MIN_SIZE_MM = 5 * MM_PER_POINT
const SHRINK = 0.96

/**
 * Lays out a template with its texts. The font size of a text that does not fit its frame is reduced, to five points at
 * least.
 */
export function layoutTemplate(input: CertificateLayoutInput, measure: MeasureText): PageLayout {
  const { template, color } = input
  const page = pageSizeMm(template.pageSize, template.orientation)
  const paint = (chosen: string) => (chosen === 'brand' ? color : chosen)
  return {
    ...page,
    background: template.background,
    backgroundFileId: template.backgroundFileId,
    drawings: template.elements.flatMap((element) => drawElement(element, input, paint, measure)),
    mark: input.mark ? layoutMark(input.mark, page, measure) : null,
  }
}

/** Distance from the center of a mark to its baseline, as a share of its size. */
export const MARK_BASELINE = 0.35
/** Share of the diagonal of the page. */
const MARK_WIDTH = 0.72

function layoutMark(text: string, { width, height }: { width: number; height: number }, measure: MeasureText): Mark {
  const style = { font: 'onest', weight: 700 } as const
  const markWidth = Math.hypot(width, height) * MARK_WIDTH
  const size = markWidth / measure(text, style, 1)
  const degrees = (-Math.atan2(height, width) * 180) / Math.PI
  return {
    ...style,
    text,
    x: width / 2,
    y: height / 2,
    size,
    width: markWidth,
    degrees,
    color: '#c62828',
    opacity: 0.6,
  }
}

type Paint = (color: string) => string

function drawElement(
  element: TemplateElement,
  { texts, link }: CertificateLayoutInput,
  paint: Paint,
  measure: MeasureText,
): Drawing[] {
  const { id: elementId, x, y, w, h } = element
  switch (element.kind) {
    case 'line':
      return [{ kind: 'rect', elementId, x, y, w, h, color: paint(element.color) }]
    case 'image':
      return [{ kind: 'image', elementId, x, y, w, h, fileId: element.fileId }]
    case 'qr': {
      const side = Math.min(w, h)
      return [{ kind: 'qr', elementId, x, y, side, color: paint(element.color), value: link }]
    }
    case 'signature':
      return drawSignature(element, paint, measure)
    case 'text': {
      const text = fillText(element.value, texts)
      return text === null ? [] : drawText({ ...element, text, color: paint(element.color) }, measure)
    }
  }
}

/** A signature: the image, a line, the name and the role below it. */
function drawSignature(
  element: Extract<TemplateElement, { kind: 'signature' }>,
  paint: Paint,
  measure: MeasureText,
): Drawing[] {
  const { id: elementId, x, y, w, h, fileId, name, role } = element
  const color = paint(element.color)
  const captionHeight = Math.min(h / 2, 11)
  const ruleAt = y + h - captionHeight
  const caption = { id: elementId, x, w, font: 'onest' as const, align: 'center' as const, color }
  return [
    ...(fileId ? [{ kind: 'image' as const, elementId, x, y, w, h: h - captionHeight - 1, fileId }] : []),
    { kind: 'rect', elementId, x, y: ruleAt, w, h: 0.25, color },
    ...drawText({ ...caption, y: ruleAt + 0.8, h: captionHeight / 2, text: name, weight: 600, size: 10 }, measure),
    ...drawText(
      { ...caption, y: ruleAt + captionHeight / 2 + 0.4, h: captionHeight / 2, text: role, weight: 400, size: 8.5 },
      measure,
    ),
  ]
}

interface TextBox extends FontStyle {
  id: string
  x: number
  y: number
  w: number
  h: number
  text: string
  /** Points. */
  size: number
  align: 'left' | 'center' | 'right'
  color: string
}

function drawText(box: TextBox, measure: MeasureText): Drawing[] {
  const { id: elementId, x, y, w, h, font, weight, color, align } = box
  if (box.text.trim() === '') return []
  const { lines, size } = fitLines(box, measure)
  const top = y + (h - lines.length * size * LINE_HEIGHT) / 2
  return lines.flatMap((text, index): Drawing[] => {
    if (text === '') return []
    const space = w - measure(text, { font, weight }, size)
    const indent = align === 'left' ? 0 : align === 'right' ? space : space / 2
    const baseline = top + (index + ASCENT) * size * LINE_HEIGHT
    return [{ kind: 'text', elementId, text, x: x + indent, baseline, size, color, font, weight }]
  })
}

/** Wraps a text to its frame with the largest fitting size, up to the chosen one. */
function fitLines(box: TextBox, measure: MeasureText): { lines: string[]; size: number } {
  let size = box.size * MM_PER_POINT
  while (true) {
    const widthOf = (text: string) => measure(text, box, size)
    const lines = box.text.split('\n').flatMap((paragraph) => wrapLine(paragraph, box.w, widthOf))
    const fits =
      lines.length * size * LINE_HEIGHT <= box.h + 0.01 && lines.every((line) => widthOf(line) <= box.w + 0.01)
    if (fits || size <= MIN_SIZE_MM) return { lines, size }
    size = Math.max(size * SHRINK, MIN_SIZE_MM)
  }
}

function wrapLine(paragraph: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  for (const word of paragraph.split(/[ \t]+/)) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
