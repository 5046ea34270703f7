import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Preset, TemplateElement, TemplateText } from './schema.ts'

const INK = '#1d2129'
const MUTED = '#5c6370'
const WHITE = '#ffffff'

/** A predefined template with its texts in a language. */
export function presetTemplate(preset: Preset, locale: Locale): TemplateText {
  const t = getTranslator(locale)
  const numbered = BUILDERS[preset](t).map((element, index) => ({ ...element, id: `e${index + 1}` }))
  return {
    name: t(`certificate:preset.${preset}`),
    pageSize: 'A4',
    orientation: preset === 'portrait' ? 'portrait' : 'landscape',
    background: preset === 'classic' ? '#fffdf7' : WHITE,
    backgroundFileId: null,
    locale,
    elements: numbered,
  }
}

type Unnumbered<Element> = Element extends unknown ? Omit<Element, 'id'> : never
type Part = Unnumbered<TemplateElement>
type Frame = readonly [x: number, y: number, w: number, h: number]
type TextPart = Omit<Extract<Part, { kind: 'text' }>, 'kind' | 'x' | 'y' | 'w' | 'h' | 'value' | 'size'>

const framed = ([x, y, w, h]: Frame) => ({ x, y, w, h })
const line = (frame: Frame, color = 'brand'): Part => ({ kind: 'line', ...framed(frame), color })
const logo = (frame: Frame): Part => ({ kind: 'image', ...framed(frame), fileId: null })
const qr = (frame: Frame): Part => ({ kind: 'qr', ...framed(frame), color: INK })
const text = (value: string, frame: Frame, size: number, style: Partial<TextPart> = {}): Part => ({
  kind: 'text',
  ...framed(frame),
  value,
  size,
  font: 'onest',
  weight: 400,
  align: 'center',
  color: INK,
  ...style,
})
const signature = (t: Translate, frame: Frame): Part => ({
  kind: 'signature',
  ...framed(frame),
  fileId: null,
  name: t('certificate:preset.signer'),
  role: t('certificate:preset.signerRole'),
  color: INK,
})

/** The four sides of a frame, `inset` from the edge of the page. */
function border([width, height]: readonly [number, number], inset: number, thickness: number): Part[] {
  const [w, h] = [width - 2 * inset, height - 2 * inset]
  return [
    line([inset, inset, w, thickness]),
    line([inset, height - inset - thickness, w, thickness]),
    line([inset, inset, thickness, h]),
    line([width - inset - thickness, inset, thickness, h]),
  ]
}

const DISPLAY = { font: 'literata' } as const

const BUILDERS: Record<Preset, (t: Translate) => Part[]> = {
  classic: (t) => [
    ...border([297, 210], 9, 1),
    ...border([297, 210], 11.6, 0.3),
    logo([128.5, 21, 40, 17]),
    text('{school}', [58.5, 40, 180, 8], 13, { color: MUTED }),
    text(t('certificate:preset.title'), [48.5, 49, 200, 19], 40, { ...DISPLAY, weight: 600, color: 'brand' }),
    text(t('certificate:preset.awarded'), [58.5, 71, 180, 8], 13, { color: MUTED }),
    text('{name}', [38.5, 80, 220, 20], 36, { ...DISPLAY, weight: 700 }),
    line([98.5, 102, 100, 0.4]),
    text(t('certificate:preset.completed'), [58.5, 107, 180, 8], 13, { color: MUTED }),
    text(t('certificate:preset.course'), [43.5, 115.5, 210, 20], 21, { ...DISPLAY, weight: 600 }),
    text(t('certificate:preset.hours'), [58.5, 137, 180, 7], 12, { color: MUTED }),
    signature(t, [32, 153, 72, 32]),
    text('{date}', [118.5, 162, 60, 7], 12, { weight: 600 }),
    text(t('certificate:preset.number'), [113.5, 169.5, 70, 6], 9.5, { color: MUTED }),
    text(t('certificate:preset.expires'), [113.5, 175.5, 70, 6], 9.5, { color: MUTED }),
    qr([226, 151, 26, 26]),
    text(t('certificate:preset.verify'), [199, 178.5, 80, 5], 7.5, { color: MUTED }),
  ],
  modern: (t) => [
    line([0, 0, 16, 210]),
    line([22, 0, 1.2, 210]),
    logo([232, 20, 43, 18]),
    text('{school}', [38, 22, 180, 9], 14, { align: 'left', weight: 600, color: MUTED }),
    text(t('certificate:preset.title'), [38, 42, 220, 22], 46, { align: 'left', weight: 700, color: 'brand' }),
    text(t('certificate:preset.awarded'), [38, 70, 200, 8], 13, { align: 'left', color: MUTED }),
    text('{name}', [38, 79, 236, 22], 38, { align: 'left', weight: 700 }),
    text(t('certificate:preset.completed'), [38, 105, 200, 8], 13, { align: 'left', color: MUTED }),
    text(t('certificate:preset.course'), [38, 113.5, 236, 19], 21, { align: 'left', weight: 600 }),
    text(t('certificate:preset.hours'), [38, 134, 200, 7], 12, { align: 'left', color: MUTED }),
    line([38, 150, 237, 0.3], '#d9dce3'),
    text('{date}', [38, 157, 62, 7], 13, { align: 'left', weight: 600 }),
    text(t('certificate:preset.number'), [38, 165, 62, 6], 10, { align: 'left', color: MUTED }),
    text(t('certificate:preset.expires'), [38, 171.5, 62, 6], 10, { align: 'left', color: MUTED }),
    signature(t, [108, 153, 76, 34]),
    qr([247, 156, 28, 28]),
    text(t('certificate:preset.verify'), [190, 187, 85, 5], 7.5, { align: 'right', color: MUTED }),
  ],
  portrait: (t) => [
    line([0, 0, 210, 74]),
    line([0, 76, 210, 1.2]),
    text('{school}', [25, 18, 160, 9], 14, { weight: 600, color: WHITE }),
    text(t('certificate:preset.title'), [20, 31, 170, 25], 44, { ...DISPLAY, weight: 600, color: WHITE }),
    logo([85, 84, 40, 22]),
    text(t('certificate:preset.awarded'), [25, 112, 160, 8], 13, { color: MUTED }),
    text('{name}', [20, 122, 170, 26], 32, { ...DISPLAY, weight: 700 }),
    line([75, 151, 60, 0.5]),
    text(t('certificate:preset.completed'), [25, 156, 160, 8], 13, { color: MUTED }),
    text(t('certificate:preset.course'), [20, 165, 170, 26], 22, { ...DISPLAY, weight: 600 }),
    text(t('certificate:preset.hours'), [25, 193, 160, 7], 12, { color: MUTED }),
    text('{date}', [65, 205, 80, 7], 13, { weight: 600 }),
    text(t('certificate:preset.number'), [60, 213, 90, 6], 10, { color: MUTED }),
    text(t('certificate:preset.expires'), [60, 219.5, 90, 6], 10, { color: MUTED }),
    signature(t, [24, 236, 76, 34]),
    qr([148, 234, 32, 32]),
    text(t('certificate:preset.verify'), [130, 268, 68, 6], 7.5, { color: MUTED }),
  ],
}
