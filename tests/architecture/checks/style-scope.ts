import type { SourceFile, Violation } from './source.ts'

/** Rules for a circumstance (print, forced colors, zoom), which adjust the classes of other files within `@media`. */
const CIRCUMSTANCES = 'src/styles/circumstance.css'
/** Files with classes of the same names, each with the reason why no page loads both. */
const NEVER_TOGETHER: Record<string, string> = {
  'src/islands/meeting/chat/chat.css': 'the chat of a webinar room has its own page, without the messenger',
}
/** A rule nested in another class is scoped by it. */
const CLASS = /^\.[\w-]+$/

/**
 * Classes that two stylesheets define on their own (`.name { … }`): on a page that loads both, the rules of one component
 * apply to the other, and the order of layers and files decides. Each class has one file; a different component takes
 * another name, or is scoped by its own (`.outline-selection > .selection-actions`).
 */
export function sharedClasses(files: readonly SourceFile[]): Violation[] {
  const homes = new Map<string, string>()
  const violations: Violation[] = []
  for (const { path, source } of files) {
    if (path === CIRCUMSTANCES || path in NEVER_TOGETHER) continue
    for (const name of definedClasses(source)) {
      const home = homes.get(name)
      if (home === undefined) homes.set(name, path)
      else if (home !== path) violations.push({ path, message: `${name} is defined in ${home} too` })
    }
  }
  return violations
}

/** Names of the classes that have a rule outside other rules; at-rules are looked into. */
function definedClasses(source: string): Set<string> {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/"[^"]*"|'[^']*'/g, '""')
  const names = new Set<string>()
  // Whether each open block is a rule; those of at-rules are not.
  const open: boolean[] = []
  let current = ''
  for (const character of code) {
    if (character === '{') {
      const isRule = !current.trim().startsWith('@')
      if (isRule && !open.includes(true))
        for (const selector of current.split(',')) if (CLASS.test(selector.trim())) names.add(selector.trim())
      open.push(isRule)
    }
    if (character === '}') open.pop()
    current = '{};'.includes(character) ? '' : current + character
  }
  return names
}
