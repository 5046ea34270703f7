import { Node } from '@tiptap/core'
import { MAX_FORMULA_CHARACTERS } from '#lib/core/shared/lesson-doc.ts'

/** Formulas in TeX, shown as typed; pages show them as MathML, which the server renders. */
export const mathNodes = [createMathNode('inlineMath', 'span'), createMathNode('blockMath', 'div')]

function createMathNode(name: 'inlineMath' | 'blockMath', tag: 'span' | 'div') {
  return Node.create({
    name,
    group: name === 'inlineMath' ? 'inline' : 'block',
    inline: name === 'inlineMath',
    atom: true,
    addAttributes: () => ({
      latex: {
        default: '',
        parseHTML: (element) => (element.getAttribute('data-latex') ?? '').slice(0, MAX_FORMULA_CHARACTERS),
        renderHTML: ({ latex }) => ({ 'data-latex': latex }),
      },
    }),
    parseHTML: () => [{ tag: `${tag}[data-lesson="${name}"]` }],
    renderHTML: ({ HTMLAttributes, node }) => [
      tag,
      { ...HTMLAttributes, 'data-lesson': name },
      ['code', {}, String(node.attrs.latex)],
    ],
    renderText: ({ node }) => String(node.attrs.latex),
  })
}
