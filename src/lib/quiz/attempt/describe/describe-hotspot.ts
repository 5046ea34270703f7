import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import type { RenderContext } from '#lib/course/lesson/render-context.ts'
import type { AnswerValue, HotspotShape, QuestionContent } from '../../question/schema.ts'
import { toPercent } from '../form-rules.ts'

type Hotspot = Extract<QuestionContent, { type: 'hotspot' }>
type HotspotAnswer = Extract<AnswerValue, { type: 'hotspot' }>

/** The picture of a hotspot question with the points of an answer, whose coordinates follow as text. */
export function describePoints(content: Hotspot, { points }: HotspotAnswer, render: RenderContext): string {
  const markers = points.map(({ x, y }, index) => {
    const at = `x="${toPercent(x)}%" y="${toPercent(y)}%"`
    return `<svg ${at} overflow="visible"><circle r="13"/><text dy="0.35em" text-anchor="middle">${index + 1}</text></svg>`
  })
  const coordinates = points.map(({ x, y }) => `<li>${Math.round(x * 100)} % × ${Math.round(y * 100)} %</li>`)
  return `${pictureWith(content, markers, render)}<ol class="hotspot-coordinates">${coordinates.join('')}</ol>`
}

/** The picture of a hotspot question with its right regions, whose names follow as text. */
export function describeRegions(content: Hotspot, render: RenderContext): string {
  const regions = content.regions.filter(({ correct }) => correct)
  const shapes = `<svg viewBox="0 0 1 1" preserveAspectRatio="none" width="100%" height="100%">${regions.map(({ shape }) => drawShape(shape)).join('')}</svg>`
  const labels = regions.map(({ label }) => `<li>${escapeHtml(label)}</li>`)
  return `${pictureWith(content, [shapes], render)}<ul>${labels.join('')}</ul>`
}

/** Nothing where the picture has been deleted. */
function pictureWith(
  { imageFileId, imageAlt }: Hotspot,
  marks: readonly string[],
  { pictures }: RenderContext,
): string {
  const picture = imageFileId ? pictures.get(imageFileId) : undefined
  if (!picture) return ''
  return `<div class="hotspot-picture"><img src="${escapeHtml(picture.src)}" alt="${escapeHtml(imageAlt)}"><svg class="hotspot-marks" aria-hidden="true">${marks.join('')}</svg></div>`
}

function drawShape(shape: HotspotShape): string {
  switch (shape.kind) {
    case 'rectangle':
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}"/>`
    case 'ellipse':
      return `<ellipse cx="${shape.x}" cy="${shape.y}" rx="${shape.radiusX}" ry="${shape.radiusY}"/>`
    case 'polygon':
      return `<polygon points="${shape.points.map(([x, y]) => `${x},${y}`).join(' ')}"/>`
  }
}
