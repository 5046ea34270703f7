import ts from 'typescript'
import { everyNode, partsOf, type SourceFile } from './source.ts'

/** A regular expression of the source: a literal, or `RegExp` of texts that are constant in their file. */
export interface Pattern {
  /** `src/lib/core/log.ts:12` */
  place: string
  source: string
  flags: string
}

/** All regular expressions of a file whose text is known without running it. */
export function patternsOf(file: SourceFile): Pattern[] {
  const found: Pattern[] = []
  const constants = constantsOf(file)
  everyNode(file, (node, { tree }) => {
    const known = literal(node) ?? constructed(node, constants)
    if (!known) return
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
    found.push({ ...known, place: `${file.path}:${line + 1}` })
  })
  return found
}

/** Whether its running time is linear in any case: it contains no unbounded repetition. */
export const isBounded = ({ source }: Pattern): boolean => !/[*+]|\{\d*,/.test(source)

type Known = Omit<Pattern, 'place'>
type Constants = ReadonlyMap<string, ts.Expression>

function literal(node: ts.Node): Known | null {
  if (!ts.isRegularExpressionLiteral(node)) return null
  const end = node.text.lastIndexOf('/')
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
}

function constructed(node: ts.Node, constants: Constants): Known | null {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return null
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return null
  const [first, second] = node.arguments ?? []
  const source = first ? textOf(first, constants) : null
  const flags = second ? textOf(second, constants) : ''
  return source === null || flags === null ? null : { source, flags }
}

function constantsOf(file: SourceFile): Constants {
  const constants = new Map<string, ts.Expression>()
  for (const { tree } of partsOf(file)) {
    for (const statement of tree.statements) {
      if (!ts.isVariableStatement(statement)) continue
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer)
      }
    }
  }
  return constants
}

/** The text of an expression: literals, constants of the file, templates and concatenations of them. */
function textOf(node: ts.Expression, constants: Constants): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text)
    return constant ? textOf(constant, constants) : null
  }
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map((span) => joined(textOf(span.expression, constants), span.literal.text))
    return [node.head.text, ...spans].reduce(joined)
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return joined(textOf(node.left, constants), textOf(node.right, constants))
  }
  return null
}

function joined(left: string | null, right: string | null): string | null {
  return left === null || right === null ? null : left + right
}
