import ts from 'typescript'
import { everyNode, type SourceFile, type Violation } from './source.ts'

/** Spread literals such as `{ ...{ a, b }, ...{ c } }`: they only put several properties on one line. */
export function packedLiterals(file: SourceFile): Violation[] {
  const found: Violation[] = []
  everyNode(file, (node) => {
    if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node) && !ts.isJsxSpreadAttribute(node)) return
    const { expression } = node
    const isPacked = ts.isObjectLiteralExpression(expression)
      ? expression.properties.length > 0
      : ts.isArrayLiteralExpression(expression) && expression.elements.length > 0
    if (isPacked) found.push({ path: file.path, message: `spreads a literal: ${node.getText().slice(0, 60)}` })
  })
  return found
}
