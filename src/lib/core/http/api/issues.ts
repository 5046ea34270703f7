import type { z } from 'zod'
import { keyFrom } from '../../shared/text/message-key.ts'
import type { Say } from '../../shared/text/strings.ts'
import type { Refusal } from '../refusal.ts'

/** Field name to sentences, ready to show beside the field. */
export type FieldErrors = Record<string, string[]>

type Issue = z.core.$ZodIssue

/** The issues of a refused input in the caller's words, by the path of the field (`lessons.0.title`). */
export function fieldErrors(t: Say, issues: readonly Issue[]): FieldErrors {
  const fields: FieldErrors = {}
  for (const issue of issues) {
    const name = issue.path.join('.') || 'form'
    const words = wordsFor(t, issue)
    const said = fields[name] ?? []
    if (!said.includes(words)) said.push(words)
    fields[name] = said
  }
  return fields
}

/** The same for a Refusal, whose fields hold keys of the `errors` namespace. */
export function refusedFields(t: Say, refusal: Refusal): FieldErrors {
  const entries = Object.entries(refusal.details.fields ?? {})
  return Object.fromEntries(entries.map(([name, keys]) => [name, keys.map((key) => say(t, key, refusal))]))
}

/** The sentence of a Refusal as a whole. */
export function refusedMessage(t: Say, refusal: Refusal): string {
  return say(t, refusal.details.message ?? refusal.code, refusal)
}

function say(t: Say, key: string, refusal: Refusal): string {
  return t(keyFrom(`errors:${key}`), refusal.details.variables)
}

// A schema may name the words itself: z.string().min(1, 'course_needs_title').
function wordsFor(t: Say, issue: Issue): string {
  if (/^[a-z][a-z0-9_]*$/.test(issue.message)) {
    const own = t(keyFrom(`errors:${issue.message}`), boundsOf(issue))
    if (own !== `errors:${issue.message}` && own !== issue.message) return own
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return t('errors:required')
  if (issue.code === 'too_small' && issue.origin === 'string') {
    return Number(issue.minimum) <= 1 ? t('errors:required') : t('errors:too_short', { min: Number(issue.minimum) })
  }
  if (issue.code === 'too_big' && issue.origin === 'string') return t('errors:too_long', { max: Number(issue.maximum) })
  if (issue.code === 'invalid_format' && issue.format === 'email') return t('errors:email')
  return t('errors:format')
}

function boundsOf(issue: Issue): { min: number } | { max: number } | undefined {
  if (issue.code === 'too_small') return { min: Number(issue.minimum) }
  return issue.code === 'too_big' ? { max: Number(issue.maximum) } : undefined
}
