import type { FormulaPart, TypesetFormula } from './typeset-formula.ts'

type PdfDocument = InstanceType<typeof import('pdfkit')>

/** Draws a formula in the current color with its left end at `x` on a baseline at `y`, as outlines. */
export function drawFormula(
  document: PdfDocument,
  { parts }: TypesetFormula,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  document.save()
  document.transform(size / 1000, 0, 0, -size / 1000, x, y)
  for (const part of parts) drawPart(document, part)
  document.restore()
}

function drawPart(document: PdfDocument, part: FormulaPart): void {
  document.save()
  document.transform(...part.matrix)
  if (part.kind === 'path') {
    document.path(part.path)
    if (part.strokeWidth === null) document.fill()
    else document.lineWidth(part.strokeWidth).stroke()
  } else {
    const { clip } = part
    if (clip) document.rect(clip.x, clip.y, clip.width, clip.height).clip()
    for (const inner of part.parts) drawPart(document, inner)
  }
  document.restore()
}
