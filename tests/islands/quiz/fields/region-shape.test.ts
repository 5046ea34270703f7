import { expect, test } from 'vitest'
import {
  boundsOf,
  changeKind,
  moveShape,
  readPoints,
  resizeShape,
  SHAPE_KINDS,
  shapeBetween,
  shapeInMiddle,
  writePoints,
} from '#islands/quiz/fields/region-shape.ts'
import { HotspotShape } from '#lib/quiz/question/schema.ts'

test.each(SHAPE_KINDS)('a drag in any direction draws the same %s', (kind) => {
  const shape = shapeBetween(kind, [0.2, 0.1], [0.6, 0.5])
  expect(shapeBetween(kind, [0.6, 0.5], [0.2, 0.1])).toEqual(shape)
  expect(boundsOf(shape).x).toBeCloseTo(0.2)
  expect(boundsOf(shape).height).toBeCloseTo(0.4)
})

test.each(SHAPE_KINDS)('a %s stays within the image however far it is moved and resized', (kind) => {
  let shape = shapeInMiddle(kind)
  for (let step = 0; step < 200; step++) shape = moveShape(shape, 0.01, -0.02)
  const { x, y, width } = boundsOf(shape)
  expect(x + width).toBeCloseTo(1)
  expect(y).toBeCloseTo(0)
  for (let step = 0; step < 200; step++) shape = resizeShape(shape, 0.01, 0.02)
  expect(HotspotShape.safeParse(shape).success).toBe(true)
  for (let step = 0; step < 200; step++) shape = resizeShape(shape, -0.01, -0.02)
  expect(HotspotShape.safeParse(shape).success).toBe(true)
})

test('another kind of shape takes the same place', () => {
  const ellipse = changeKind({ kind: 'rectangle', x: 0.2, y: 0.4, width: 0.2, height: 0.4 }, 'ellipse')
  expect(ellipse).toEqual({ kind: 'ellipse', x: 0.3, y: 0.6, radiusX: 0.1, radiusY: 0.2 })
})

test('corners are written and read as percent', () => {
  expect(readPoints('10 25\n50,5 25\n30 80')).toEqual([
    [0.1, 0.25],
    [0.505, 0.25],
    [0.3, 0.8],
  ])
  expect(writePoints([[0.1, 0.25]])).toBe('10 25')
  expect([readPoints('10 25\n50 25'), readPoints('10 25\n50 25\n30'), readPoints('10 25\n50 25\n30 180')]).toEqual([
    null,
    null,
    null,
  ])
})
