import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import type { RoadmapStage } from './schema.ts'

/** Size of the preview image that all networks support (Open Graph). */
const PICTURE_SIZE = { width: 1200, height: 630, margin: 72 } as const
const COLORS = { background: '#fbfaf7', text: '#1d2129', muted: '#5c6370', path: '#1657b8', accent: '#e8c75a' } as const

// Each font file is registered as a separate family, so each script is a family, and glyphs are looked up in the order
// of the list.
const SCRIPTS = ['latin', 'cyrillic', 'cyrillic-ext', 'latin-ext'] as const
const familyOf = (font: string, script: string): string => `picture-${font}-${script}`
const TEXT = SCRIPTS.map((script) => familyOf('onest', script)).join(', ')
const DISPLAY = SCRIPTS.map((script) => familyOf('literata', script)).join(', ')

/** Renders the preview image of a road map: title, school and stages. Returns a PNG. */
export async function drawRoadmap(map: {
  title: string
  school: string
  stages: readonly Pick<RoadmapStage, 'title'>[]
}): Promise<Buffer> {
  await loadFonts()
  const canvas = createCanvas(PICTURE_SIZE.width, PICTURE_SIZE.height)
  const context = canvas.getContext('2d')
  context.fillStyle = COLORS.background
  context.fillRect(0, 0, PICTURE_SIZE.width, PICTURE_SIZE.height)
  context.fillStyle = COLORS.accent
  context.fillRect(0, 0, PICTURE_SIZE.width, 12)
  context.fillStyle = COLORS.muted
  context.font = `500 30px ${TEXT}`
  context.fillText(fitText(context, map.school, PICTURE_SIZE.width - 2 * PICTURE_SIZE.margin), PICTURE_SIZE.margin, 112)
  context.fillStyle = COLORS.text
  context.font = `600 68px ${DISPLAY}`
  const lines = wrapText(context, map.title, PICTURE_SIZE.width - 2 * PICTURE_SIZE.margin).slice(0, 3)
  for (const [index, line] of lines.entries()) context.fillText(line, PICTURE_SIZE.margin, 210 + index * 84)
  drawPath(context, map.stages)
  return canvas.encode('png')
}

function drawPath(context: SKRSContext2D, stages: readonly Pick<RoadmapStage, 'title'>[]): void {
  const shownStages = stages.slice(0, 4)
  if (shownStages.length === 0) return
  const step = (PICTURE_SIZE.width - 2 * PICTURE_SIZE.margin) / shownStages.length
  const y = 500
  context.strokeStyle = COLORS.path
  context.lineWidth = 5
  context.beginPath()
  context.moveTo(PICTURE_SIZE.margin + 20, y)
  context.lineTo(PICTURE_SIZE.width - PICTURE_SIZE.margin, y)
  context.stroke()
  for (const [index, { title }] of shownStages.entries()) {
    const x = PICTURE_SIZE.margin + 24 + index * step
    context.fillStyle = COLORS.path
    context.beginPath()
    context.arc(x, y, 24, 0, 2 * Math.PI)
    context.fill()
    context.fillStyle = COLORS.background
    context.font = `600 26px ${TEXT}`
    context.textAlign = 'center'
    context.fillText(String(index + 1), x, y + 9)
    context.textAlign = 'left'
    context.fillStyle = COLORS.text
    context.font = `500 26px ${TEXT}`
    context.fillText(fitText(context, title, step - 24), x - 24, y + 68)
  }
}

/** Wraps text to lines of at most `width` pixels; a longer word is truncated. */
function wrapText(context: SKRSContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && context.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else lines.push(fitText(context, word, width))
  }
  return lines
}

function fitText(context: SKRSContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let characters = [...text]
  while (characters.length > 1 && context.measureText(`${characters.join('')}…`).width > width)
    characters = characters.slice(0, -1)
  return `${characters.join('').trimEnd()}…`
}

let fonts: Promise<void> | undefined

/** Loads the fonts of the pages, so that Ukrainian is rendered on every system. */
function loadFonts(): Promise<void> {
  fonts ??= registerFonts()
  return fonts
}

async function registerFonts(): Promise<void> {
  const require = createRequire(import.meta.url)
  for (const font of ['onest', 'literata']) {
    const folder = path.dirname(require.resolve(`@fontsource-variable/${font}/package.json`))
    for (const script of SCRIPTS) {
      const bytes = await readFile(path.join(folder, 'files', `${font}-${script}-wght-normal.woff2`))
      GlobalFonts.register(bytes, familyOf(font, script))
    }
  }
}
