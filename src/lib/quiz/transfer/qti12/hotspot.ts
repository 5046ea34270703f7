import type { HotspotShape } from '../../question/schema.ts'
import { SkippedQuestion } from '../question-reader.ts'
import type { Qti12Item, ReadResponse } from './item.ts'

/**
 * Regions of an image as Canvas writes them: all are right, with corners as shares of the image size. Pixel coordinates
 * of other systems are not read, because the sizes of their images are not in the file.
 */
export function readHotspot(item: Qti12Item, { prompt, areas, image }: ReadResponse) {
  const { texts, note } = item
  if (image === null) throw new SkippedQuestion('type_unsupported')
  const shapes = areas.map((area) => readShape(area, note))
  const regions = shapes.flatMap((shape, index) =>
    shape ? [{ id: `r${index + 1}`, label: '', shape, correct: true }] : [],
  )
  if (regions.length === 0) throw new SkippedQuestion('no_answers')
  if (regions.length < areas.length) note('scoring_changed')
  const imageFileId = texts.pictureId(image)
  if (imageFileId === null) note('image_missing')
  // The text of the question is inside the response.
  if (item.stemNodes.length === 0) item.stemNodes = prompt
  return { type: 'hotspot', imageFileId, imageAlt: '', regions }
}

function readShape({ shape, coords }: ReadResponse['areas'][number], note: Qti12Item['note']): HotspotShape | null {
  const shares = coords.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  if (shares.some((share) => !(share >= 0 && share <= 1)) || shares.length % 2 === 1) return null
  const points = shares.flatMap((share, at): [number, number][] => (at % 2 === 0 ? [[share, shares[at + 1] ?? 0]] : []))
  if (shape === 'bounded') return points.length >= 3 && points.length <= 60 ? { kind: 'polygon', points } : null
  const [first, second] = points
  if (!first || !second || points.length > 2) return null
  const [left, right] = [first[0], second[0]].sort((a, b) => a - b) as [number, number]
  const [top, bottom] = [first[1], second[1]].sort((a, b) => a - b) as [number, number]
  const [width, height] = [roundShare(right - left), roundShare(bottom - top)]
  if (width === 0 || height === 0) return null
  if (shape === 'rectangle') return { kind: 'rectangle', x: left, y: top, width, height }
  if (shape !== 'ellipse') return null
  // Canvas documents the two points of an ellipse nowhere; they are read as corners of the rectangle around it.
  note('scoring_changed')
  const [radiusX, radiusY] = [roundShare(width / 2), roundShare(height / 2)]
  return { kind: 'ellipse', x: roundShare(left + radiusX), y: roundShare(top + radiusY), radiusX, radiusY }
}

const roundShare = (share: number): number => Number(share.toPrecision(12))
