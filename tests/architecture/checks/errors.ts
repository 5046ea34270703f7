import type { SourceFile, Violation } from './source.ts'

const EMPTY_CATCH = /\bcatch\s*(\([^)]*\)\s*)?\{\s*\}/g
const PARSE = /\b([A-Z]\w*(?:\.\w+\([^()]*\))*)\.parse\(([^\n]*)/g
// What a request brings is `input` or a part of it; an empty object asks for the defaults.
const OF_INPUT = /^(input\b|\{ \.\.\.input|\{\}\))/
const OTHERS = /^(JSON|Date|URL|Papa)$/

/** Catch clauses that hide an error and do not say why. */
export function emptyCatches({ path, source }: SourceFile): Violation[] {
  return [...source.matchAll(EMPTY_CATCH)].map(({ 0: text }) => ({ path, message: `hides every error: ${text}` }))
}

/**
 * Calls of `Schema.parse` in the domain on something else than an input. Their ZodError would be answered with 400, as if
 * the request were at fault: what is stored or put together here is read by `parseStored`.
 */
export function parsedAsInput({ path, source }: SourceFile): Violation[] {
  return [...source.matchAll(PARSE)].flatMap(([, schema = '', rest = '']) =>
    OTHERS.test(schema) || OF_INPUT.test(rest) ? [] : [{ path, message: `${schema}.parse(${rest} is no input` }],
  )
}
