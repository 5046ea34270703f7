import type { LiteNode, MathJax } from 'mathjax'

/** a, b, c, d, e, f of a transformation in PDF and SVG. */
export type Matrix = readonly [number, number, number, number, number, number]

/** A part of a formula in thousandths of the font size, on a baseline at 0, upwards. */
export type FormulaPart =
  | { kind: 'path'; matrix: Matrix; path: string; strokeWidth: number | null }
  | { kind: 'group'; matrix: Matrix; clip: Rectangle | null; parts: FormulaPart[] }

interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** A formula as outlines. Sizes are multiples of the font size; `depth` is the part of it below the baseline. */
export interface TypesetFormula {
  width: number
  height: number
  depth: number
  parts: FormulaPart[]
}

const PACKAGES = [
  'ams',
  'mhchem',
  'cancel',
  'color',
  'boldsymbol',
  'textmacros',
  'braket',
  'gensymb',
  'units',
  'upgreek',
]
const UNITS = 1000
/** Of the lines of tables, which have no width of their own. */
const RULE = 60
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/**
 * Typesets a formula in TeX, including Cyrillic text and chemical equations. Null for TeX that cannot be typeset, or that
 * contains characters without an outline. Links, scripts and external files of TeX have no effect. Takes about half a
 * second for the first formula of a process, then 5 to 30 ms; long input may take longer: run it in a worker process.
 */
export async function typesetFormula(latex: string, { isBlock }: { isBlock: boolean }): Promise<TypesetFormula | null> {
  const mathJax = await loadMathJax()
  try {
    const container = await mathJax.tex2svgPromise(latex, { display: isBlock })
    const image = container.children?.find(({ kind }) => kind === 'svg')
    return image ? formulaOf(image) : null
  } catch {
    // An error of the author's TeX, or an element that has no outline.
    return null
  }
}

let loading: Promise<MathJax> | undefined

function loadMathJax(): Promise<MathJax> {
  loading ??= import('mathjax').then(({ default: loader }) =>
    loader.init({
      loader: { load: ['input/tex-base', 'output/svg', ...PACKAGES.map((name) => `[tex]/${name}`)] },
      svg: { fontCache: 'none', linebreaks: { inline: false } },
      tex: {
        packages: ['base', ...PACKAGES],
        maxMacros: 200,
        maxBuffer: 5000,
        formatError(_parser, error) {
          throw error
        },
      },
    }),
  )
  return loading
}

function formulaOf(image: LiteNode): TypesetFormula {
  const { y, width, height } = viewBoxOf(image)
  return {
    width: width / UNITS,
    height: -y / UNITS,
    depth: (y + height) / UNITS,
    // Its only child turns the axis upwards.
    parts: (image.children ?? []).flatMap(({ children = [] }) => children.flatMap(formulaParts)),
  }
}

function formulaParts(node: LiteNode): FormulaPart[] {
  const { kind, attributes = {}, children = [] } = node
  const matrix = matrixOf(attributes.transform)
  const number = (name: string) => Number(attributes[name] ?? 0)
  // Backgrounds would hide the formula in print; rules have the attribute too, with a black one.
  if (kind === 'rect' && attributes['data-bgcolor'] && attributes.fill !== 'black') return []
  switch (kind) {
    case 'g':
      return [{ kind: 'group', matrix, clip: null, parts: children.flatMap(formulaParts) }]
    case 'path':
      return [{ kind: 'path', matrix, path: attributes.d ?? '', strokeWidth: null }]
    case 'rect': {
      const [x, y, width, height] = [number('x'), number('y'), number('width'), number('height')]
      const path = `M ${x} ${y} h ${width} v ${height} h ${-width} Z`
      return [{ kind: 'path', matrix, path, strokeWidth: attributes.fill === 'none' ? number('stroke-width') : null }]
    }
    case 'line': {
      const path = `M ${number('x1')} ${number('y1')} L ${number('x2')} ${number('y2')}`
      return [{ kind: 'path', matrix, path, strokeWidth: number('stroke-width') || RULE }]
    }
    // A part of a long sign, e.g. the middle of a bracket.
    case 'svg': {
      const clip = viewBoxOf(node)
      const moved: Matrix = [1, 0, 0, 1, number('x') - clip.x, number('y') - clip.y]
      return [{ kind: 'group', matrix: moved, clip, parts: children.flatMap(formulaParts) }]
    }
    default:
      throw new TypeError(`<${kind}> has no outline`)
  }
}

function viewBoxOf({ attributes }: LiteNode): Rectangle {
  const [x = 0, y = 0, width = 0, height = 0] = (attributes?.viewBox ?? '').split(' ').map(Number)
  return { x, y, width, height }
}

/** Of a list of `translate` and `scale`. */
function matrixOf(transform = ''): Matrix {
  let matrix = IDENTITY
  for (const [, name, values = ''] of transform.matchAll(/\b(\w+)\(([^()]*)\)/g)) {
    const [x = 0, y] = values.split(/[ ,]+/).map(Number)
    if (name === 'translate') matrix = multiply(matrix, [1, 0, 0, 1, x, y ?? 0])
    else if (name === 'scale') matrix = multiply(matrix, [x, 0, 0, y ?? x, 0, 0])
    else throw new TypeError(`unknown transformation ${name}`)
  }
  return matrix
}

/** First the second transformation, then the first. */
const multiply = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
]
