import ts from 'typescript'
import { everyNode, type SourceFile, type Violation } from './source.ts'

/**
 * Words that no name contains, each with what to write instead (docs/glossary.md). A word is a part of a name
 * in camel case: `comerOf` contains `comer`.
 */
const BANNED_WORDS: Readonly<Record<string, string>> = {
  asked: 'input, request, query or requested',
  told: 'sent, published or notified',
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
}

/** Names of parameters, variables and functions that have no meaning. */
const BANNED_NAMES: Readonly<Record<string, string>> = {
  what: 'the noun of the value',
  whom: 'the noun of the value',
  one: 'the noun of the value',
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

function replacementFor(name: string): string | undefined {
  if (Object.hasOwn(BANNED_NAMES, name)) return BANNED_NAMES[name]
  const word = wordsOf(name).find((each) => Object.hasOwn(BANNED_WORDS, each))
  return word && BANNED_WORDS[word]
}

/** The words of a name in camel case, snake case or capitals, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$]+/)
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
