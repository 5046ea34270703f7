import { pageSizeMm } from '#lib/certificate/state-schema.ts'
import type { TemplateElement, TemplateText } from '#lib/certificate/template/schema.ts'

export interface Position {
  x: number
  y: number
}

export interface Snapped extends Position {
  /** Lines of the page that the element was aligned with, in millimetres. */
  guides: { x: number[]; y: number[] }
}

/** Distance in millimetres at which an element is aligned. */
const SNAP_MM = 1.5

/** Aligns a moved element with the middle and the edges of the page and of the other elements. */
export function snapElement(template: TemplateText, element: TemplateElement, { x, y }: Position): Snapped {
  const page = pageSizeMm(template.pageSize, template.orientation)
  const others = template.elements.filter(({ id }) => id !== element.id)
  const across = snapAxis(x, element.w, [
    0,
    page.width / 2,
    page.width,
    ...others.flatMap((other) => [other.x, other.x + other.w / 2, other.x + other.w]),
  ])
  const down = snapAxis(y, element.h, [
    0,
    page.height / 2,
    page.height,
    ...others.flatMap((other) => [other.y, other.y + other.h / 2, other.y + other.h]),
  ])
  return { x: across.at, y: down.at, guides: { x: across.guides, y: down.guides } }
}

function snapAxis(start: number, length: number, targets: readonly number[]): { at: number; guides: number[] } {
  let best: { at: number; guide: number; distance: number } | null = null
  for (const target of targets) {
    for (const offset of [0, length / 2, length]) {
      const distance = Math.abs(start + offset - target)
      if (distance <= SNAP_MM && (best === null || distance < best.distance))
        best = { at: target - offset, guide: target, distance }
    }
  }
  return best ? { at: roundMm(best.at), guides: [best.guide] } : { at: roundMm(start), guides: [] }
}

/** Rounds millimetres to one decimal, within the limits of a template. */
export const roundMm = (value: number): number => Math.round(Math.min(Math.max(value, -50), 400) * 10) / 10

/** A length in millimetres with one decimal, at least 0.1. */
export const roundLength = (value: number): number => Math.max(roundMm(value), 0.1)

/** The step of an arrow key in millimetres; null for another key. */
export function arrowStep(key: string, isLarge: boolean): Position | null {
  const step = isLarge ? 5 : 1
  if (key === 'ArrowLeft') return { x: -step, y: 0 }
  if (key === 'ArrowRight') return { x: step, y: 0 }
  if (key === 'ArrowUp') return { x: 0, y: -step }
  if (key === 'ArrowDown') return { x: 0, y: step }
  return null
}

/** A new element of a kind in the middle of the page, with an id that no other element has. */
export function newElement(
  kind: TemplateElement['kind'],
  { elements, pageSize, orientation }: TemplateText,
  words: string,
): TemplateElement {
  const page = pageSizeMm(pageSize, orientation)
  const used = new Set(elements.map(({ id }) => id))
  let number = elements.length + 1
  while (used.has(`e${number}`)) number += 1
  const frame = (w: number, h: number) => ({
    id: `e${number}`,
    x: roundMm((page.width - w) / 2),
    y: roundMm((page.height - h) / 2),
    w,
    h,
  })
  const color = '#1d2129'
  switch (kind) {
    case 'text':
      return { kind, ...frame(100, 12), value: words, font: 'onest', weight: 400, size: 16, align: 'center', color }
    case 'image':
      return { kind, ...frame(40, 20), fileId: null }
    case 'qr':
      return { kind, ...frame(26, 26), color }
    case 'signature':
      return { kind, ...frame(70, 30), fileId: null, name: words, role: '', color }
    case 'line':
      return { kind, ...frame(100, 0.4), color: 'brand' }
  }
}
