import ts from 'typescript'
import { everyNode, partsOf, type SourceFile, type Violation } from './source.ts'

/**
 * Words that no name contains, each with what to write instead (docs/glossary.md). A word is a part of a name
 * in camel case: `comerOf` contains `comer`.
 */
const BANNED_WORDS: Readonly<Record<string, string>> = {
  asked: 'input, request, query or requested',
  told: 'sent, published or notified',
  says: 'text, message or template',
  door: 'endpoint or address',
  house: 'school or server',
  hear: 'connect, listen or transcribe',
  hears: 'connect, listen or expect',
  comer: 'participant or visitor',
  sitting: 'event session or participant',
  oust: 'ban',
  expel: 'ban',
  onlooker: 'viewer',
  pupil: 'student',
  neighbour: 'previous, next or adjacent; other tenant',
  vault: 'draft store or encryption',
  jar: 'cookies',
  gather: 'batch or debounce',
  patience: 'timeout or retry',
  rung: 'resolution or step',
  flaw: 'problem, issue or validation error',
  flaws: 'problems, issues or validation errors',
  doubt: 'check or error',
  errand: 'job',
  shelf: 'list, library or store',
  hallway: 'registry',
  furniture: 'table',
  anew: 'version or reload count',
  occasion: 'event',
  dispute: 'conflict',
  film: 'video or recording',
  films: 'videos or recordings',
  ticket: 'seat token, stream token, pending token or URL token',
  tickets: 'tokens',
  walled: 'isolated',
  desk: 'editor, review or panel',
  twin: 'duplicate or counterpart',
  veil: 'overlay or backdrop',
  trouble: 'failure or problem',
  deed: 'action',
  wishes: 'options',
  wanting: 'interested',
  nudge: 'step',
  brush: 'drawing context',
  mended: 'recovered',
  slipped: 'too short',
  sought: 'seek',
  spare: 'alternative',
  rungs: 'renditions',
  tops: 'roots',
  firsts: 'first names',
  bang: 'exclamation mark',
  lone: 'only',
  stray: 'orphaned or unexpected',
  hung: 'timed out',
  lent: 'borrowed or copied',
  deaf: 'unresponsive',
  rightful: 'expected',
  enlist: 'register',
  leash: 'lifetime',
  applauded: 'reacted',
  diligent: 'assumes completion',
  acts: 'actions',
  honest: 'disclosure',
  asking: 'request, requesting or probe',
  analyse: 'analyze or compute the analysis',
  colour: 'color',
  colours: 'colors',
  recognise: 'recognize',
  analysed: 'analyzed',
  cancelled: 'canceled',
  authorise: 'authorize',
  initialise: 'initialize',
}

/** Names of parameters, variables and functions that have no meaning. */
const BANNED_NAMES: Readonly<Record<string, string>> = {
  say: 'publish or send, and a noun',
  what: 'the noun of the value',
  whom: 'the noun of the value',
  one: 'the noun of the value',
  of: 'the noun of the value',
  said: 'the noun of the value, such as notice or message',
  because: 'reason',
  whose: 'the noun of the value',
  showing: 'event session',
  showings: 'event sessions',
  act: 'action, or intent for the field of a form',
  held: 'holdReason, locked or stored',
  taken: 'takenCount, used or locked',
  forWhom: 'audience',
  Counts: 'counts and a noun',
  Outcome: 'outcome and a noun',
  Done: 'NoOutput',
  load: 'load and a noun',
  begin: 'start and a noun',
}

/** Names declared in a file that are banned or contain a banned word. */
export function bannedIdentifiers({ path, source }: SourceFile): Violation[] {
  const found: Violation[] = []
  everyNode({ path, source }, (node) => {
    const name = declaredName(node)
    const replacement = name && replacementFor(name)
    if (replacement) found.push({ path, message: `declares ${name}: write ${replacement}` })
  })
  return found
}

/** `data-` attributes and CSS classes that contain a banned word. */
export function bannedMarkupNames({ path, source }: SourceFile): Violation[] {
  const names = path.endsWith('.css') ? source.matchAll(/\.([a-z][a-z0-9-]*)/g) : source.matchAll(/\bdata-([a-z-]+)/g)
  return [...new Set(Array.from(names, ([, name = '']) => name))].flatMap((name) => {
    const replacement = replacementFor(name)
    return replacement ? [{ path, message: `names ${name}: write ${replacement}` }] : []
  })
}

/**
 * Names that two modules export, so that a search cannot tell them apart. The layers of one module (`lib/course`,
 * `islands/course`) may share a name, because it is the same thing: a zod schema and the type of its value.
 */
export function sharedExportNames(files: readonly SourceFile[]): Violation[] {
  const exporters = new Map<string, { module: string; path: string }>()
  const found: Violation[] = []
  for (const file of files) {
    const module = moduleOf(file.path)
    if (module === null) continue
    for (const name of exportedNames(file)) {
      const first = exporters.get(name)
      if (!first) exporters.set(name, { module, path: file.path })
      else if (first.module !== module)
        found.push({ path: file.path, message: `exports ${name}, like ${first.path}: name the domain in one of them` })
    }
  }
  return found
}

const MAX_NAMESAKES = 3
/** Names that Astro requires of endpoints. */
const ENDPOINT_METHODS = new Set(['ALL', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Functions that are declared under one name in more than three files, so that a search does not find the right one. */
export function repeatedFunctionNames(files: readonly SourceFile[]): Violation[] {
  const places = new Map<string, string[]>()
  for (const { path, source } of files) {
    if (path.endsWith('.astro')) continue
    for (const name of topLevelFunctions(path, source)) places.set(name, [...(places.get(name) ?? []), path])
  }
  return [...places].flatMap(([name, [path = '', ...others]]) =>
    others.length < MAX_NAMESAKES || ENDPOINT_METHODS.has(name)
      ? []
      : [{ path, message: `declares the function ${name}, like ${others.join(', ')}: name its object` }],
  )
}

function topLevelFunctions(path: string, source: string): string[] {
  const { statements } = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false)
  return statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : []
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && ts.isFunctionLike(initializer) ? [name.text] : [],
    )
  })
}

function replacementFor(name: string): string | undefined {
  if (Object.hasOwn(BANNED_NAMES, name)) return BANNED_NAMES[name]
  const word = wordsOf(name).find((each) => Object.hasOwn(BANNED_WORDS, each))
  return word && BANNED_WORDS[word]
}

/** The words of a name in camel case, snake case, kebab case or capitals, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$-]+/)
}

function declaredName(node: ts.Node): string | null {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node)
  return isDeclaration && ts.isIdentifier(node.name ?? node) && node.name ? node.name.getText() : null
}

/** The module of a file; a part of the core and a folder of pages count as one. Null for endpoints and other files. */
function moduleOf(path: string): string | null {
  const [src, layer, first, second] = path.split('/')
  if (src !== 'src' || !first || path.startsWith('src/pages/v1/') || !/\.tsx?$/.test(path)) return null
  if (layer === 'lib' && first === 'core') return `core/${second}`
  return layer === 'lib' || layer === 'islands' ? first : `${layer}/${first}`
}

function exportedNames(file: SourceFile): Set<string> {
  const statements = partsOf(file).flatMap(({ tree }) => [...tree.statements])
  const exported = statements.filter(
    (statement) =>
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  )
  return new Set(exported.flatMap(namesOf))
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name ? [statement.name.text] : []
}
