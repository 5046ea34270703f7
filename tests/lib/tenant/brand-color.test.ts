import fs from 'node:fs'
import { contrastWCAG21 } from 'colorjs.io/fn'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBrandPalette, createBrandStylesheet } from '#lib/tenant/brand-color.ts'

/** The surfaces of a theme on which links stand. */
function surfacesOf(theme: 'day' | 'night'): string[] {
  const styles = fs.readFileSync('src/styles/themes.css', 'utf8').split(`name: "${theme}"`)[1] ?? ''
  const block = styles.slice(0, styles.indexOf('}'))
  return [...block.matchAll(/--(?:color-base-[12]00|raised): (oklch\([^)]+\))/g)].map(([, color = '']) => color)
}
const [DAY, NIGHT] = [surfacesOf('day'), surfacesOf('night')]
const hexColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('text of any brand color is readable on all surfaces of both themes, and so is text on it', () => {
  expect([DAY.length, NIGHT.length]).toEqual([3, 3])
  fc.assert(
    fc.property(hexColor, (color) => {
      const { day, night } = createBrandPalette(color)
      for (const [colors, surfaces] of [
        [day, DAY],
        [night, NIGHT],
      ] as const) {
        for (const surface of surfaces) expect(contrastWCAG21(colors.primary, surface)).toBeGreaterThanOrEqual(4.5)
        expect(contrastWCAG21(colors.primary, colors.primaryContent)).toBeGreaterThanOrEqual(4.5)
        expect(contrastWCAG21(colors.secondary, colors.secondaryContent)).toBeGreaterThanOrEqual(4.5)
      }
    }),
    { numRuns: 300 },
  )
})

test('a color that is dark enough is not changed in the day theme', () => {
  expect(createBrandPalette('#7a1fa2').day.primary).toBe('#7a1fa2')
})

test('a light color is darkened in the day theme and keeps its hue', () => {
  const { day, night } = createBrandPalette('#ffd500')
  expect(day.primary).not.toBe('#ffd500')
  expect(night.primary).toBe('#ffd500')
})

test('the stylesheet sets the colors of both themes and of the system preference', () => {
  const css = createBrandStylesheet('#7a1fa2')
  expect(css).toContain(':root,[data-theme=day]{--color-primary:#7a1fa2;')
  expect(css.match(/--color-primary:/g)).toHaveLength(3)
  expect(css).toContain('prefers-color-scheme:dark')
})
