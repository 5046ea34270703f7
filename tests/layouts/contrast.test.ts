import fs from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = fs.readFileSync('src/styles/themes.css', 'utf8')
const themes = ['day', 'night'].map((name) => [name, themeOf(name)] as const)
const TEXT = 4.5
const CONTROL = 3

describe.each(themes)('%s', (_, theme) => {
  const papers = ['--color-base-100', '--color-base-200', '--raised']
  const inks = [
    '--color-base-content',
    '--muted',
    '--color-primary',
    '--color-error',
    '--color-success',
    '--color-warning',
    '--color-info',
  ]
  const filled = ['primary', 'secondary', 'accent', 'neutral', 'info', 'success', 'warning', 'error']

  test.each(papers.flatMap((paper) => inks.map((ink) => [ink, paper])))('%s is readable on %s', (ink, paper) => {
    expect(contrast(theme(ink), theme(paper))).toBeGreaterThanOrEqual(TEXT)
  })

  test.each(filled)('text on %s is readable', (name) => {
    expect(contrast(theme(`--color-${name}-content`), theme(`--color-${name}`))).toBeGreaterThanOrEqual(TEXT)
  })

  test.each(papers)('the border of a control is visible on %s', (paper) => {
    expect(contrast(theme('--line'), theme(paper))).toBeGreaterThanOrEqual(CONTROL)
  })
})

function themeOf(name: string): (variable: string) => number {
  const block = css.split('@plugin "daisyui/theme"').find((each) => each.includes(`name: "${name}"`)) ?? ''
  return (variable) => {
    const found = new RegExp(`${variable}: oklch\\(([\\d.]+)% ([\\d.]+) ([\\d.]+)\\)`).exec(block)
    if (!found) throw new Error(`${name} has no ${variable}`)
    return luminance(Number(found[1]) / 100, Number(found[2]), (Number(found[3]) * Math.PI) / 180)
  }
}

/** Relative luminance of an OKLCH color: Björn Ottosson's OKLab to linear sRGB, then WCAG 2.2. */
function luminance(lightness: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const [red = 0, green = 0, blue = 0] = channels.map((value) => Math.min(1, Math.max(0, value)))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(first: number, other: number): number {
  return (Math.max(first, other) + 0.05) / (Math.min(first, other) + 0.05)
}
