import ts from 'typescript'
import { everyNode, type SourceFile, type Violation } from './source.ts'

const EMPTY_CATCH = /\bcatch\s*(\([^)]*\)\s*)?\{\s*\}/g
const SCHEMA = /^[A-Z]\w*(\.\w+)*$/
const OTHERS = new Set(['JSON', 'Date', 'URL', 'Papa'])

/** Catch clauses without a statement and without a comment that states the reason. */
export function emptyCatches({ path, source }: SourceFile): Violation[] {
  return [...source.matchAll(EMPTY_CATCH)].map(({ 0: text }) => ({ path, message: `hides every error: ${text}` }))
}

/**
 * Calls of `Schema.parse` and `Schema.safeParse` in the domain that validate an input again. The procedure or the form
 * handler of a page has validated it; stored data is parsed by `parseStored`. Parsing an empty object returns the
 * defaults.
 */
export function validatedAgain(file: SourceFile): Violation[] {
  const found: Violation[] = []
  everyNode(file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const method = node.expression.name.text
    const [argument] = node.arguments
    if (!argument || !isSchema(node.expression.expression)) return
    const isRefused =
      method === 'parse' ? !isEmptyObject(argument) : method === 'safeParse' && isWholeInput(argument, node)
    if (isRefused) found.push({ path: file.path, message: `${node.getText()} validates an input in the domain` })
  })
  return found
}

/** `Name`, `module.Name`, and calls on them such as `Name.partial()`. */
function isSchema(node: ts.Expression): boolean {
  let root = node
  while (ts.isCallExpression(root) && ts.isPropertyAccessExpression(root.expression)) root = root.expression.expression
  const name = root.getText()
  return !OTHERS.has(name) && SCHEMA.test(name.replace(/^[a-z]\w*\./, ''))
}

const isEmptyObject = (node: ts.Expression): boolean =>
  ts.isObjectLiteralExpression(node) && node.properties.length === 0

/** `input`, `{ ...input }`, or a parameter with a schema's type of a function that takes an actor. */
function isWholeInput(node: ts.Expression, call: ts.Node): boolean {
  const spread = ts.isObjectLiteralExpression(node) ? node.properties.find(ts.isSpreadAssignment)?.expression : node
  if (!spread || !ts.isIdentifier(spread)) return false
  if (spread.text === 'input') return true
  const { parameters } = enclosingFunction(call) ?? { parameters: [] }
  const typeOf = (name: string) => parameters.find((parameter) => parameter.name.getText() === name)?.type?.getText()
  return parameters.some(({ type }) => type?.getText() === 'Actor') && /^[A-Z]/.test(typeOf(spread.text) ?? '')
}

function enclosingFunction(node: ts.Node): ts.FunctionLikeDeclaration | undefined {
  const isFunction = (parent: ts.Node): parent is ts.FunctionLikeDeclaration =>
    ts.isFunctionDeclaration(parent) || ts.isArrowFunction(parent)
  return ts.findAncestor(node, isFunction)
}
