import { ColorSpace, contrastWCAG21, OKLCH, serialize, sRGB, to, toGamut } from 'colorjs.io/fn'

ColorSpace.register(sRGB)
ColorSpace.register(OKLCH)

/** Colors of the interface in one theme that depend on the brand color, as `#rrggbb`. */
export interface BrandColors {
  primary: string
  primaryContent: string
  secondary: string
  secondaryContent: string
}

export interface BrandPalette {
  day: BrandColors
  night: BrandColors
}

/**
 * For text of any size; more than the 4.5 of WCAG 2.2, success criterion 1.4.3, since surfaces and colors are rounded to
 * eight bits per channel.
 */
const MIN_CONTRAST = 4.6
const LIGHTNESS_STEP = 0.01

/** The surfaces and tints of `src/styles/themes.css` on which the brand color has to be legible. */
const SURFACES = {
  day: {
    surfaces: [color(0.985, 0.004, 90), color(0.96, 0.006, 90), color(1, 0, 0)],
    content: color(0.985, 0.004, 90),
    step: -LIGHTNESS_STEP,
    tint: { lightness: 0.93, maxChroma: 0.025 },
    tintContent: { lightness: 0.36, maxChroma: 0.13 },
  },
  night: {
    surfaces: [color(0.19, 0.015, 260), color(0.225, 0.016, 260), color(0.235, 0.017, 260)],
    content: color(0.18, 0.03, 260),
    step: LIGHTNESS_STEP,
    tint: { lightness: 0.3, maxChroma: 0.05 },
    tintContent: { lightness: 0.88, maxChroma: 0.06 },
  },
} as const

/**
 * The colors of both themes for a brand color. Hue and chroma are kept; the lightness is changed, darker by day and
 * lighter by night, until text of the color on the theme's surfaces, and text on the color, have a contrast of at
 * least 4.6 : 1.
 * @param brandColor `#rrggbb`
 */
export function createBrandPalette(brandColor: string): BrandPalette {
  const [lightness = 0, chroma = 0, hue = 0] = to(brandColor, 'oklch').coords.map((coordinate) => coordinate ?? 0)
  return { day: colorsOf('day', lightness, chroma, hue), night: colorsOf('night', lightness, chroma, hue) }
}

/** A stylesheet that sets the brand colors of both themes. It contains computed numbers only, no user input. */
export function createBrandStylesheet(brandColor: string): string {
  const { day, night } = createBrandPalette(brandColor)
  return `:root,[data-theme=day]{${propertiesOf(day)}}
@media (prefers-color-scheme:dark){:root:not([data-theme=day]){${propertiesOf(night)}}}
[data-theme=night]{${propertiesOf(night)}}
`
}

function colorsOf(theme: 'day' | 'night', startLightness: number, chroma: number, hue: number): BrandColors {
  const { surfaces, content, step, tint, tintContent } = SURFACES[theme]
  const isReadable = (candidate: string) =>
    [...surfaces, content].every((other) => contrastWCAG21(candidate, other) >= MIN_CONTRAST)
  let lightness = startLightness
  while (!isReadable(color(lightness, chroma, hue)) && lightness + step > 0 && lightness + step < 1) lightness += step
  return {
    primary: color(lightness, chroma, hue),
    primaryContent: content,
    secondary: color(tint.lightness, Math.min(chroma, tint.maxChroma), hue),
    secondaryContent: color(tintContent.lightness, Math.min(chroma, tintContent.maxChroma), hue),
  }
}

function propertiesOf({ primary, primaryContent, secondary, secondaryContent }: BrandColors): string {
  return `--color-primary:${primary};--color-primary-content:${primaryContent};--color-secondary:${secondary};--color-secondary-content:${secondaryContent}`
}

function color(lightness: number, chroma: number, hue: number): string {
  const coords: [number, number, number] = [Math.min(1, Math.max(0, lightness)), chroma, hue]
  const rgb = toGamut(to({ space: OKLCH, coords, alpha: 1 }, sRGB))
  return serialize(rgb, { format: 'hex', collapse: false })
}
