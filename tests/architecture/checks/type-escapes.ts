import ts from 'typescript'
import { commentsOf, everyNode, type SourceFile, type Violation } from './source.ts'

const SILENCER = /@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable|oxlint-disable/
const UNFINISHED = /\b(TODO|FIXME|XXX|HACK)\b/
const RUNNERS = new Set(['test', 'it', 'describe'])
const SWITCHES = new Set(['only', 'skip', 'todo', 'fixme', 'fails', 'skipIf', 'runIf'])

/** Bypasses of the type checker: `any`, `as unknown as`, `!`, disabled rules. */
export function typeEscapes(file: SourceFile): Violation[] {
  const found: string[] = []
  everyNode(file, (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`any in «${excerpt(node.parent)}»`)
    if (ts.isNonNullExpression(node)) found.push(`«!» in «${excerpt(node)}»`)
    if ((ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) && node.exclamationToken) {
      found.push(`«!» in «${excerpt(node)}»`)
    }
    if (ts.isAsExpression(node) && ts.isAsExpression(node.expression) && isUnknown(node.expression.type)) {
      found.push(`as unknown as in «${excerpt(node)}»`)
    }
  })
  const comments = commentsOf(file)
  for (const comment of comments) {
    if (SILENCER.test(comment)) found.push(`a silenced rule: ${comment}`)
    if (UNFINISHED.test(comment)) found.push(`unfinished: ${comment}`)
  }
  return found.map((message) => ({ path: file.path, message }))
}

/** Environment variables are read in one place, where they are validated. */
export function environmentReads(file: SourceFile): Violation[] {
  if (file.path.startsWith('src/lib/core/config/')) return []
  const found: Violation[] = []
  everyNode(file, (node) => {
    const reads =
      ts.isPropertyAccessExpression(node) && node.name.text === 'env' && node.expression.getText() === 'process'
    const takes = ts.isImportSpecifier(node) && node.getText() === 'env' && /^['"](node:)?process/.test(moduleOf(node))
    if (reads || takes) found.push({ path: file.path, message: 'reads the environment: only core/config does' })
  })
  return found
}

/** Tests that are disabled, run alone or wait for a fixed time. */
export function switchedOff(file: SourceFile): Violation[] {
  const found: Violation[] = []
  everyNode(file, (node) => {
    if (!ts.isPropertyAccessExpression(node)) return
    const word = node.name.text
    if (SWITCHES.has(word) && RUNNERS.has(rootOf(node.expression))) {
      found.push({ path: file.path, message: `switches a test with .${word}` })
    }
    if (word === 'waitForTimeout')
      found.push({ path: file.path, message: 'sleeps: wait for what should happen instead' })
  })
  return found
}

function rootOf(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return rootOf(node.expression)
  return ts.isIdentifier(node) ? node.text : ''
}

const isUnknown = (type: ts.TypeNode): boolean => type.kind === ts.SyntaxKind.UnknownKeyword
const moduleOf = (node: ts.ImportSpecifier): string => node.parent.parent.parent.moduleSpecifier.getText()
const excerpt = (node: ts.Node): string => node.getText().replace(/\s+/g, ' ').slice(0, 60)
