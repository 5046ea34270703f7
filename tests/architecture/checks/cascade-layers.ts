import type { SourceFile, Violation } from './source.ts'

export const LAYER_ORDER = '@layer theme, base, components, utilities, overrides;'
const LAYERS = /^@layer (theme|base|components|utilities|overrides)$/
/** At-rules whose contents do not take part in the cascade, or that Tailwind puts into a layer. */
const OUTSIDE_LAYERS =
  /^@(import|plugin|theme|source|utility|custom-variant|font-face|property|keyframes|layer theme)\b/

/**
 * CSS rules outside the layers, in CSS files and in the `<style>` of Astro components: an unlayered rule takes
 * precedence over every layer, regardless of its specificity. A file with layers declares their order, because the
 * browser uses the order of the first loaded file.
 */
export function unlayeredRules({ path, source }: SourceFile): Violation[] {
  const isStyleSheet = path.endsWith('.css')
  const sheets = isStyleSheet
    ? [source]
    : [...source.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css]) => css ?? '')
  return sheets.flatMap((css) => {
    const statements = topLevelStatements(css)
    const unlayered = statements.filter((statement) => !LAYERS.test(statement) && !OUTSIDE_LAYERS.test(statement))
    const violations = unlayered.map((statement) => ({ path, message: `${statement} is in no cascade layer` }))
    const lacksOrder = isStyleSheet && statements.some((statement) => LAYERS.test(statement))
    return lacksOrder && !source.startsWith(LAYER_ORDER)
      ? [...violations, { path, message: `does not start with ${LAYER_ORDER}` }]
      : violations
  })
}

/** The selectors and at-rules of the outermost level, without their blocks. */
function topLevelStatements(css: string): string[] {
  const code = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/"[^"]*"|'[^']*'/g, '""')
  const statements: string[] = []
  let depth = 0
  let current = ''
  for (const character of code) {
    if (depth === 0 && (character === '{' || character === ';')) {
      statements.push(current.trim().replace(/\s+/g, ' '))
      current = ''
    }
    if (character === '{') depth += 1
    else if (character === '}') depth -= 1
    else if (depth === 0 && character !== ';') current += character
  }
  return statements
}
