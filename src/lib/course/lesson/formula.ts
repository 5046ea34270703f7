import temml from 'temml'
import { escapeHtml } from '#lib/core/shared/text/escape.ts'

/**
 * Renders a formula in TeX as MathML, which needs no script or style in the browser. TeX that cannot be parsed is shown
 * as typed. Links and macro definitions of TeX have no effect.
 */
export function renderFormula(latex: string, { isBlock }: { isBlock: boolean }): string {
  try {
    return temml.renderToString(latex, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxSize: [20, 20],
      maxExpand: 200,
      annotate: true,
    })
  } catch {
    return isBlock ? `<pre tabindex="0"><code>${escapeHtml(latex)}</code></pre>` : `<code>${escapeHtml(latex)}</code>`
  }
}

/** MathML Core, and the elements that Temml adds. */
export const MATHML_TAGS = [
  'math',
  'annotation',
  'menclose',
  'mfrac',
  'mi',
  'mmultiscripts',
  'mn',
  'mo',
  'mover',
  'mpadded',
  'mphantom',
  'mprescripts',
  'mroot',
  'mrow',
  'ms',
  'mspace',
  'msqrt',
  'mstyle',
  'msub',
  'msubsup',
  'msup',
  'mtable',
  'mtd',
  'mtext',
  'mtr',
  'munder',
  'munderover',
  'semantics',
]

export const MATHML_ATTRIBUTES: Record<string, string[]> = {
  math: ['display'],
  annotation: ['encoding'],
  menclose: ['notation'],
  mfrac: ['linethickness'],
  mi: ['mathvariant'],
  mo: [
    'fence',
    'form',
    'stretchy',
    'symmetric',
    'separator',
    'accent',
    'largeop',
    'movablelimits',
    'lspace',
    'rspace',
    'minsize',
    'maxsize',
  ],
  mover: ['accent'],
  mpadded: ['width', 'height', 'depth', 'lspace', 'voffset'],
  mspace: ['width', 'height', 'depth'],
  mstyle: ['displaystyle', 'scriptlevel'],
  mtable: ['columnalign', 'rowspacing', 'columnspacing', 'displaystyle'],
  mtd: ['columnalign', 'columnspan', 'rowspan'],
  munder: ['accentunder'],
  munderover: ['accent', 'accentunder'],
}
