import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import type { Stage } from './schema.ts'

/** The size that every network shows whole (Open Graph). */
const SIZE = { width: 1200, height: 630, margin: 72 } as const
const INK = { paper: '#fbfaf7', text: '#1d2129', muted: '#5c6370', way: '#1657b8', accent: '#e8c75a' } as const

// A family is one file here, so each script is a family of its own and the letters are looked for along the list.
const SCRIPTS = ['latin', 'cyrillic', 'cyrillic-ext', 'latin-ext'] as const
const familyOf = (font: string, script: string): string => `picture-${font}-${script}`
const TEXT = SCRIPTS.map((script) => familyOf('onest', script)).join(', ')
const DISPLAY = SCRIPTS.map((script) => familyOf('literata', script)).join(', ')

/** A road map's picture for shared links: the title, the school, and its stages on a way. Gives a PNG. */
export async function drawRoadmap(map: {
  title: string
  school: string
  stages: readonly Pick<Stage, 'title'>[]
}): Promise<Buffer> {
  await ready()
  const canvas = createCanvas(SIZE.width, SIZE.height)
  const brush = canvas.getContext('2d')
  brush.fillStyle = INK.paper
  brush.fillRect(0, 0, SIZE.width, SIZE.height)
  brush.fillStyle = INK.accent
  brush.fillRect(0, 0, SIZE.width, 12)
  brush.fillStyle = INK.muted
  brush.font = `500 30px ${TEXT}`
  brush.fillText(fitting(brush, map.school, SIZE.width - 2 * SIZE.margin), SIZE.margin, 112)
  brush.fillStyle = INK.text
  brush.font = `600 68px ${DISPLAY}`
  const lines = wrap(brush, map.title, SIZE.width - 2 * SIZE.margin).slice(0, 3)
  for (const [index, line] of lines.entries()) brush.fillText(line, SIZE.margin, 210 + index * 84)
  drawWay(brush, map.stages)
  return canvas.encode('png')
}

function drawWay(brush: SKRSContext2D, stages: readonly Pick<Stage, 'title'>[]): void {
  const shown = stages.slice(0, 4)
  if (shown.length === 0) return
  const step = (SIZE.width - 2 * SIZE.margin) / shown.length
  const y = 500
  brush.strokeStyle = INK.way
  brush.lineWidth = 5
  brush.beginPath()
  brush.moveTo(SIZE.margin + 20, y)
  brush.lineTo(SIZE.width - SIZE.margin, y)
  brush.stroke()
  for (const [index, { title }] of shown.entries()) {
    const x = SIZE.margin + 24 + index * step
    brush.fillStyle = INK.way
    brush.beginPath()
    brush.arc(x, y, 24, 0, 2 * Math.PI)
    brush.fill()
    brush.fillStyle = INK.paper
    brush.font = `600 26px ${TEXT}`
    brush.textAlign = 'center'
    brush.fillText(String(index + 1), x, y + 9)
    brush.textAlign = 'left'
    brush.fillStyle = INK.text
    brush.font = `500 26px ${TEXT}`
    brush.fillText(fitting(brush, title, step - 24), x - 24, y + 68)
  }
}

/** Words to lines that are no wider than `width` pixels; a word that is wider alone is cut. */
function wrap(brush: SKRSContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && brush.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else lines.push(fitting(brush, word, width))
  }
  return lines
}

function fitting(brush: SKRSContext2D, text: string, width: number): string {
  if (brush.measureText(text).width <= width) return text
  let kept = [...text]
  while (kept.length > 1 && brush.measureText(`${kept.join('')}…`).width > width) kept = kept.slice(0, -1)
  return `${kept.join('').trimEnd()}…`
}

let fonts: Promise<void> | undefined

/** The fonts of the pages themselves, so that Ukrainian is drawn wherever the product runs. */
function ready(): Promise<void> {
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
