import { z } from 'zod'
import { ORIENTATIONS, PAGE_SIZES } from '#lib/certificate/state-schema.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()
const Millimetres = z.number().min(-50).max(400)
const Length = z.number().min(0.1).max(400)

/** `brand` is the color of the school. */
const ElementColor = z.union([z.literal('brand'), z.string().regex(/^#[0-9a-f]{6}$/)])

/** The frame of an element in millimetres from the upper left corner of the page. */
const frame = { id: z.string().regex(/^[a-z0-9]{1,12}$/), x: Millimetres, y: Millimetres, w: Length, h: Length }

export const FONTS = ['onest', 'literata'] as const
export const WEIGHTS = [400, 600, 700] as const
export const ALIGNMENTS = ['left', 'center', 'right'] as const

const TextElement = z.object({
  kind: z.literal('text'),
  ...frame,
  /** Variables are in braces. */
  value: multilineText(500),
  font: z.enum(FONTS).default('onest'),
  weight: z.union(WEIGHTS.map((weight) => z.literal(weight))).default(400),
  /** Points; reduced when the text does not fit. */
  size: z.number().min(5).max(120),
  align: z.enum(ALIGNMENTS).default('center'),
  color: ElementColor.default('#1d2129'),
})
const ImageElement = z.object({
  kind: z.literal('image'),
  ...frame,
  /** Null: the logo of the school. */
  fileId: id.nullable().default(null),
})
const QrElement = z.object({ kind: z.literal('qr'), ...frame, color: ElementColor.default('#1d2129') })
const SignatureElement = z.object({
  kind: z.literal('signature'),
  ...frame,
  fileId: id.nullable().default(null),
  name: textLine(120).default(''),
  role: textLine(120).default(''),
  color: ElementColor.default('#1d2129'),
})
/** A filled rectangle: a line, a band or the side of a frame. */
const LineElement = z.object({ kind: z.literal('line'), ...frame, color: ElementColor.default('#1d2129') })

export const TemplateElement = z.discriminatedUnion('kind', [
  TextElement,
  ImageElement,
  QrElement,
  SignatureElement,
  LineElement,
])
export type TemplateElement = z.output<typeof TemplateElement>
/** The content of a template; elements are drawn in their order. */
export const TemplateText = z.object({
  name: textLine(120).min(1, 'required'),
  pageSize: z.enum(PAGE_SIZES),
  orientation: z.enum(ORIENTATIONS),
  background: z.string().regex(/^#[0-9a-f]{6}$/),
  backgroundFileId: id.nullable().default(null),
  /** Language of dates and numbers. */
  locale: z.enum(LOCALES),
  elements: z.array(TemplateElement).max(60),
})
export type TemplateText = z.output<typeof TemplateText>

export const PRESETS = ['classic', 'modern', 'portrait'] as const
export type Preset = (typeof PRESETS)[number]

export const TemplateId = z.object({ templateId: id })
/** `templateId` is chosen by the form, so that posting it twice creates one template. */
export const CreateTemplate = z.object({ templateId: id, preset: z.enum(PRESETS), locale: z.enum(LOCALES) })
export type CreateTemplate = z.output<typeof CreateTemplate>
export const SaveTemplate = TemplateText.extend({ templateId: id, version: z.int32().min(1) })
export type SaveTemplate = z.output<typeof SaveTemplate>
