import ts from 'typescript'
import { placeOf } from '../modules.ts'
import { everyNode, importsOf, resolveImport, type SourceFile, type Violation } from '../source.ts'

const WRITERS = new Set(['insert', 'update', 'delete'])
const WRITE =
  /\b(?:insert\s+into|(?<!for\s)(?<!do\s)update(?:\s+only)?|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:\$\{(\w+)\}|"?(\w+)"?)/gi

/** Database names of the tables that the table files declare, each with the module that owns it. */
export function tableOwners(files: SourceFile[]): Map<string, string> {
  const owners = new Map<string, string>()
  for (const file of files.filter(({ path }) => /^src\/lib\/.+[/-]table\.ts$/.test(path))) {
    everyNode(file, (node) => {
      if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isCallExpression(node.initializer)) return
      const [name] = node.initializer.arguments
      if (name && ts.isStringLiteral(name)) owners.set(name.text, ownerOf(file.path))
    })
  }
  return owners
}

/** Tables may be read by every module, but are written only in the module that owns them. */
export function writesToOtherModules(file: SourceFile, owners: Map<string, string>): Violation[] {
  const home = ownerOf(file.path)
  const foreign = foreignTables(file, home)
  const found: string[] = []
  everyNode(file, (node) => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      WRITERS.has(node.expression.name.text)
    ) {
      const [target] = node.arguments
      const module = target && ts.isIdentifier(target) ? foreign.get(target.text) : undefined
      if (module) found.push(`${node.expression.name.text}s ${target?.getText()} of ${module}`)
    }
    if (ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node) || ts.isStringLiteral(node)) {
      for (const [statement, variable, table] of node.getText().matchAll(WRITE)) {
        const module = variable ? foreign.get(variable) : owners.get(table ?? '')
        if (module && module !== home) found.push(`writes a table of ${module}: ${statement}`)
      }
    }
  })
  return found.map((message) => ({ path: file.path, message }))
}

function foreignTables(file: SourceFile, home: string): Map<string, string> {
  const tables = new Map<string, string>()
  for (const { specifier, names } of importsOf(file)) {
    const target = resolveImport(file.path, specifier)
    if (!target || !/[/-]table\.ts$/.test(target) || ownerOf(target) === home) continue
    for (const name of names) tables.set(name, ownerOf(target))
  }
  return tables
}

function ownerOf(path: string): string {
  const place = placeOf(path)
  if (place.kind === 'core') return 'core'
  return 'module' in place ? place.module : place.kind
}
