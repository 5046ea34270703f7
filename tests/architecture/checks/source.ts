import { convertToTsx } from '@astrojs/astro2tsx'
import ts from 'typescript'

/** A file of the repository: its path from the root, with forward slashes, and its text. */
export interface SourceFile {
  path: string
  source: string
}

/** A violation that a rule found. `message` is one sentence for the person who fixes it. */
export interface Violation {
  path: string
  message: string
}

export interface Import {
  specifier: string
  /** Erased at compile time. */
  typeOnly: boolean
  /** A processed `<script>` of an .astro file: runs in the browser. */
  inBrowser: boolean
  /** Local names that the import binds. */
  names: string[]
}

interface Part {
  tree: ts.SourceFile
  inBrowser: boolean
}

const parsed = new WeakMap<SourceFile, Part[]>()

/** Syntax trees of a file: one for .ts and .tsx; for .astro its frontmatter with the template, then each script. */
export function partsOf(file: SourceFile): Part[] {
  const known = parsed.get(file)
  if (known) return known
  const parts = file.path.endsWith('.astro') ? astroParts(file) : [part(file.path, file.source, false)]
  parsed.set(file, parts)
  return parts
}

/** Calls `visit` for every node of every part. */
export function everyNode(file: SourceFile, visit: (node: ts.Node, part: Part) => void): void {
  for (const part of partsOf(file)) {
    const walk = (node: ts.Node): void => {
      visit(node, part)
      ts.forEachChild(node, walk)
    }
    walk(part.tree)
  }
}

/** Static imports, re-exports, `import()` and `import('…').Type`. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = []
  everyNode(file, (node, { inBrowser }) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const clause = node.importClause
      const typeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || everyNameIsType(clause)
      found.push({ specifier: node.moduleSpecifier.text, typeOnly, inBrowser, names: boundNames(clause) })
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly, inBrowser, names: [] })
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [target] = node.arguments
      if (target && ts.isStringLiteralLike(target)) {
        found.push({ specifier: target.text, typeOnly: false, inBrowser, names: [] })
      }
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument
      if (ts.isStringLiteral(literal)) found.push({ specifier: literal.text, typeOnly: true, inBrowser, names: [] })
    }
  })
  return found
}

/** Texts of all comments, without those inside an .astro template's HTML. */
export function commentsOf(file: SourceFile): string[] {
  const seen = new Map<string, string>()
  everyNode(file, (node, { tree }) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(tree.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(tree.text, node.getEnd()) ?? []),
      // The comment of an expression that contains nothing else.
      ...(ts.isJsxExpression(node) ? (ts.getTrailingCommentRanges(tree.text, node.getStart(tree) + 1) ?? []) : []),
    ]
    if (node.kind === ts.SyntaxKind.JsxText) return
    for (const { pos, end } of ranges) seen.set(`${tree.fileName}:${pos}`, tree.text.slice(pos, end))
  })
  return [...seen.values()]
}

/**
 * The target of an import of the project: a path from the root, or null for a package, a built-in or a virtual module.
 */
export function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  if (!specifier.startsWith('.')) return null
  const steps = from.split('/').slice(0, -1)
  for (const step of specifier.split('?')[0]?.split('/') ?? []) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}

function astroParts({ path, source }: SourceFile): Part[] {
  const tsx = convertToTsx(source)
  // The converter appends a component that is not part of the source.
  const template = part(`${path}.tsx`, `${tsx.code.slice(0, tsx.body.end)}</Fragment>`, false)
  const modules = tsx.scripts.filter(({ type }) => type !== 'json' && type !== 'event-attribute')
  return [template, ...modules.map(({ content }, index) => part(`${path}.${index}.ts`, content, true))]
}

function part(name: string, text: string, inBrowser: boolean): Part {
  const kind = name.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  return { tree: ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind), inBrowser }
}

function everyNameIsType(clause: ts.ImportClause | undefined): boolean {
  const bindings = clause?.namedBindings
  if (!bindings || clause.name || !ts.isNamedImports(bindings)) return false
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly)
}

function boundNames(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings
  const named = bindings
    ? ts.isNamedImports(bindings)
      ? bindings.elements.map((element) => element.name.text)
      : [bindings.name.text]
    : []
  return clause?.name ? [clause.name.text, ...named] : named
}
