import type { VariableTexts } from '#lib/certificate/template/fill-rules.ts'
import type { MeasureText } from '#lib/certificate/template/layout-rules.ts'
import type { TemplateElement, TemplateText } from '#lib/certificate/template/schema.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings, Translate } from '#lib/core/shared/text/strings.ts'

/** Props of the template editor. */
export interface TemplateEditorProps {
  templateId: string
  version: number
  value: TemplateText
  /** Membership id: drafts are stored by person. */
  owner: string
  /** The values of the variables in the preview, with the longest real name. */
  texts: VariableTexts
  link: string
  /** Color of the school. */
  color: string
  /** Path of the school's logo. */
  logo: string | null
  locale: Locale
  strings: Strings
}

const FAMILIES = { onest: "'Onest Variable', sans-serif", literata: "'Literata Variable', serif" } as const

export const cssFontFamilyOf = (font: 'onest' | 'literata'): string => FAMILIES[font]

let context: CanvasRenderingContext2D | null | undefined

/** Measures text with the fonts of the page; on the server, and before hydration, by average widths. */
export const measureInBrowser: MeasureText = (text, { font, weight }, size) => {
  if (typeof document === 'undefined') return text.length * size * 0.55
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return text.length * size * 0.55
  context.font = `${weight} 100px ${FAMILIES[font]}`
  return (context.measureText(text).width / 100) * size
}

/** The name of an element in the list of layers. */
export function elementName(element: TemplateElement, t: Translate): string {
  const kind = t(`certificate:edit.${element.kind}`)
  const content = element.kind === 'text' ? element.value : element.kind === 'signature' ? element.name : ''
  return content.trim() === '' ? kind : `${kind}: ${content.replaceAll('\n', ' ').slice(0, 40)}`
}

/** The texts of a template for the choice between two versions. */
export const plainTemplate = ({ name, elements }: TemplateText): string =>
  [name, ...elements.map((element) => (element.kind === 'text' ? element.value : element.kind))].join('\n')
