import { childrenOf, type MarkupElement } from '#lib/course/transfer/markup.ts'
import { plainTextOf } from '../../question/rich-text-schema.ts'
import type { HotspotShape } from '../../question/schema.ts'
import { partIds, textLineOf } from '../parts.ts'
import { SkippedQuestion } from '../question-reader.ts'
import { elementsOf } from '../xml.ts'
import { type QtiItem, responseOf } from './item.ts'

interface Picture {
  imageFileId: string | null
  imageAlt: string
  width: number
  height: number
}

/**
 * Regions of an image of which the right ones have to be chosen. Throws SkippedQuestion when the size of the image is
 * unknown.
 */
export function readHotspot(source: QtiItem, interaction: MarkupElement) {
  const { correct, mapping } = responseOf(source, interaction)
  const picture = readPicture(source, interaction)
  const right = new Set([...correct, ...(mapping?.filter(({ value }) => value > 0).map(({ key }) => key) ?? [])])
  const choices = childrenOf(interaction, 'hotspotChoice')
  const ids = partIds(
    choices.map(({ attributes }) => attributes.identifier),
    'r',
  )
  const regions = choices.flatMap(({ attributes }, index) => {
    const shape = shapeOf(attributes.shape ?? '', attributes.coords ?? '', picture)
    const label = textLineOf(attributes.hotspotLabel ?? '', 120, source.note)
    return shape ? [{ id: ids[index], label, shape, correct: right.has(attributes.identifier ?? '') }] : []
  })
  if (regions.length < choices.length) source.note('scoring_changed')
  return hotspot(picture, regions, source.scoring.isPartial || right.size === 1)
}

/** A point that is right inside the declared areas. */
export function readSelectPoint(source: QtiItem, interaction: MarkupElement) {
  const { areas } = responseOf(source, interaction)
  const picture = readPicture(source, interaction)
  const regions = areas.flatMap(({ shape, coords, value }, index) => {
    const region = shapeOf(shape, coords, picture)
    return region ? [{ id: `r${index + 1}`, label: '', shape: region, correct: value > 0 }] : []
  })
  if (regions.length === 0) throw new SkippedQuestion('no_answers')
  return hotspot(picture, regions, true)
}

const hotspot = ({ imageFileId, imageAlt }: Picture, regions: readonly unknown[], partialCredit: boolean) => ({
  type: 'hotspot',
  imageFileId,
  imageAlt,
  regions,
  partialCredit,
})

function readPicture({ texts, note }: QtiItem, interaction: MarkupElement): Picture {
  const [element] = [...elementsOf(interaction, 'object'), ...elementsOf(interaction, 'img')]
  const { data, src = '', width = '', height = '', alt = '' } = element?.attributes ?? {}
  const [pixelWidth, pixelHeight] = [Number.parseFloat(width), Number.parseFloat(height)]
  if (!(pixelWidth > 0) || !(pixelHeight > 0)) throw new SkippedQuestion('type_unsupported')
  const imageFileId = texts.pictureId(data ?? src)
  if (imageFileId === null) note('image_missing')
  const text = alt || (element ? plainTextOf(texts.nodes(element.children)) : '')
  return { imageFileId, imageAlt: textLineOf(text, 500, note), width: pixelWidth, height: pixelHeight }
}

/** Converts a shape of an HTML image map to shares of the image size; null for other shapes. */
function shapeOf(name: string, coords: string, { width, height }: Picture): HotspotShape | null {
  const numbers = coords
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number)
  if (numbers.some((value) => !Number.isFinite(value))) return null
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  switch (name) {
    case 'rect': {
      const [x, y] = [share(Math.min(a, c), width), share(Math.min(b, d), height)]
      return {
        kind: 'rectangle',
        x,
        y,
        width: share(Math.max(a, c), width) - x,
        height: share(Math.max(b, d), height) - y,
      }
    }
    case 'circle':
      return {
        kind: 'ellipse',
        x: share(a, width),
        y: share(b, height),
        radiusX: share(c, width),
        radiusY: share(c, height),
      }
    case 'ellipse':
      return {
        kind: 'ellipse',
        x: share(a, width),
        y: share(b, height),
        radiusX: share(c, width),
        radiusY: share(d, height),
      }
    case 'poly': {
      const points: [number, number][] = []
      for (let at = 0; at + 1 < numbers.length && points.length < 60; at += 2)
        points.push([share(numbers[at] ?? 0, width), share(numbers[at + 1] ?? 0, height)])
      return points.length >= 3 ? { kind: 'polygon', points } : null
    }
    default:
      return null
  }
}

const share = (pixels: number, size: number): number => Number(Math.min(1, Math.max(0, pixels / size)).toPrecision(12))
