import type { SourceFile, Violation } from './source.ts'

const NATIVE = /\btype\s*[=:]\s*\{?["'`](date|datetime-local|time|month|week)["'`]/g

/** Native date fields: browsers show them in their own language, not in that of the page. */
export function nativeFields({ path, source }: SourceFile): Violation[] {
  return [...source.matchAll(NATIVE)].map(([, type]) => ({
    path,
    message: `has a field of the type ${type}; use layouts/ui/DateField.astro or islands/field/DateField.tsx`,
  }))
}
