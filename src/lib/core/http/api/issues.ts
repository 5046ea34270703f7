import type { z } from 'zod'
import { keyFrom } from '../../shared/text/message-key.ts'
import type { Translate } from '../../shared/text/strings.ts'
import type { Refusal } from '../refusal.ts'

/** Field name to messages, which are shown next to the field. */
export type FieldErrors = Record<string, string[]>

type Issue = z.core.$ZodIssue

/** Messages of the validation issues of an input, by the path of the field (`lessons.0.title`). */
export function fieldErrors(t: Translate, issues: readonly Issue[]): FieldErrors {
  const fields: FieldErrors = {}
  for (const issue of issues) {
    const name = issue.path.join('.') || 'form'
    const message = issueMessage(t, issue)
    const messages = fields[name] ?? []
    if (!messages.includes(message)) messages.push(message)
    fields[name] = messages
  }
  return fields
}

/** The same for a Refusal, whose fields hold keys of the `errors` namespace. */
export function refusedFields(t: Translate, refusal: Refusal): FieldErrors {
  const entries = Object.entries(refusal.details.fields ?? {})
  return Object.fromEntries(entries.map(([name, keys]) => [name, keys.map((key) => refusalText(t, key, refusal))]))
}

/** The translated message of a Refusal. */
export function refusedMessage(t: Translate, refusal: Refusal): string {
  return refusalText(t, refusal.details.message ?? refusal.code, refusal)
}

function refusalText(t: Translate, key: string, refusal: Refusal): string {
  return t(keyFrom(`errors:${key}`), refusal.details.variables)
}

// A schema may name the message key itself: z.string().min(1, 'course_needs_title').
function issueMessage(t: Translate, issue: Issue): string {
  if (/^[a-z][a-z0-9_]*$/.test(issue.message)) {
    const custom = t(keyFrom(`errors:${issue.message}`), boundsOf(issue))
    if (custom !== `errors:${issue.message}` && custom !== issue.message) return custom
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
