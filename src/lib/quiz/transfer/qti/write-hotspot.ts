import { escapeXml } from '#lib/core/shared/text/escape.ts'
import type { HotspotShape, QuestionContentOfType } from '../../question/schema.ts'
import { SkippedQuestion } from '../question-reader.ts'
import type { ItemWriter, WrittenInteraction } from './item-writer.ts'
import { identifierOf } from './names.ts'
import { correctResponse, mapRules, matchRules, RESPONSE, writeMapping } from './processing.ts'

/** Regions of an image, in its pixels. Throws SkippedQuestion without the image. */
export function writeHotspot(content: QuestionContentOfType<'hotspot'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  const picture = content.imageFileId ? writer.find(content.imageFileId) : null
  if (!picture?.width || !picture.height) throw new SkippedQuestion('type_unsupported')
  const { path, width, height } = picture
  const right = content.regions.filter(({ correct }) => correct).map(({ id }) => identifierOf(id))
  const isMapped = content.partialCredit && right.length > 1
  const entries = right.map((key) => ({ key, value: content.points / right.length }))
  const declaration = qti.element(
    'responseDeclaration',
    { identifier: RESPONSE, cardinality: right.length > 1 ? 'multiple' : 'single', baseType: 'identifier' },
    correctResponse(qti, right) + (isMapped ? writeMapping(qti, entries, content.points) : ''),
  )
  const size = `width="${width}" height="${height}"`
  const image =
    qti.version === 'qti30'
      ? `<img src="${escapeXml(path)}" alt="${escapeXml(content.imageAlt)}" ${size}/>`
      : `<object data="${escapeXml(path)}" type="${mimeOf(path)}" ${size}>${escapeXml(content.imageAlt)}</object>`
  const choices = content.regions.map(({ id, label, shape }) =>
    qti.element('hotspotChoice', {
      identifier: identifierOf(id),
      ...shapeOf(shape, width, height),
      hotspotLabel: label || null,
    }),
  )
  const interaction = qti.element(
    'hotspotInteraction',
    { responseIdentifier: RESPONSE, maxChoices: right.length > 1 ? 0 : 1 },
    image + choices.join(''),
  )
  return {
    responses: [declaration],
    body: writer.html(content.stem) + interaction,
    processing: isMapped ? mapRules(qti, [RESPONSE]) : matchRules(qti, content.points),
    feedback: [],
  }
}

const mimeOf = (path: string): string =>
  path.endsWith('.png') ? 'image/png' : path.endsWith('.webp') ? 'image/webp' : 'image/jpeg'

/** Coordinates are whole pixels. */
function shapeOf(shape: HotspotShape, width: number, height: number): { shape: string; coords: string } {
  const [across, down] = [(value: number) => Math.round(value * width), (value: number) => Math.round(value * height)]
  switch (shape.kind) {
    case 'rectangle': {
      const { x, y } = shape
      return { shape: 'rect', coords: [across(x), down(y), across(x + shape.width), down(y + shape.height)].join(',') }
    }
    case 'ellipse':
      return {
        shape: 'ellipse',
        coords: [across(shape.x), down(shape.y), across(shape.radiusX), down(shape.radiusY)].join(','),
      }
    case 'polygon':
      return { shape: 'poly', coords: shape.points.flatMap(([x, y]) => [across(x), down(y)]).join(',') }
  }
}
