import type { z } from 'zod'
import { keyFrom } from '../../shared/text/message-key.ts'
import type { Translate } from '../../shared/text/strings.ts'
import type { Refusal } from '../refusal.ts'

/** Field name to messages, which are shown next to the field. */
export type FieldErrors = Record<string, string[]>

type Issue = z.core.$ZodIssue

/**
 * Messages of the validation issues of an input, by the path of the field (`lessons.0.title`). `input` is what was sent: a
 * form, or the body of a call; it tells a missing value from one of another type.
 */
export function fieldErrors(t: Translate, issues: readonly Issue[], input: unknown): FieldErrors {
  const fields: FieldErrors = {}
  for (const issue of issues) {
    if (isSafeIntegerBound(issue) && issues.some((other) => other !== issue && isSamePlace(other, issue))) continue
    const name = issue.path.join('.') || 'form'
    const message = issueMessage(t, issue, isMissing(input, issue.path))
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
function issueMessage(t: Translate, issue: Issue, missing: boolean): string {
  if (/^[a-z][a-z0-9_]*$/.test(issue.message)) {
    const custom = t(keyFrom(`errors:${issue.message}`), boundsOf(issue))
    if (custom !== `errors:${issue.message}` && custom !== issue.message) return custom
  }
  if (issue.code === 'invalid_type' && missing) return t('errors:required')
  if (issue.code === 'invalid_type' && issue.expected === 'number') return t('errors:number')
  if (issue.code === 'invalid_type' && issue.expected === 'int') return t('errors:integer')
  if (issue.code === 'too_small' && issue.origin === 'string') {
    return Number(issue.minimum) <= 1 ? t('errors:required') : t('errors:too_short', { min: Number(issue.minimum) })
  }
  if (issue.code === 'too_big' && issue.origin === 'string') return t('errors:too_long', { max: Number(issue.maximum) })
  if (issue.code === 'invalid_format' && issue.format === 'email') return t('errors:email')
  if (issue.code === 'too_small' && isNumber(issue)) return t('errors:number_min', { min: Number(issue.minimum) })
  if (issue.code === 'too_big' && isNumber(issue)) return t('errors:number_max', { max: Number(issue.maximum) })
  return t('errors:format')
}

/** A bound of zod itself, which means nothing to people next to the bound of the field. */
const isSafeIntegerBound = (issue: Issue): boolean =>
  (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
  (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER)

const isSamePlace = (issue: Issue, other: Issue): boolean => issue.path.join('.') === other.path.join('.')

/** Whether the bound of a number is itself allowed, as in the messages. */
function isNumber({ origin, inclusive }: { origin: string; inclusive?: boolean }): boolean {
  return (origin === 'number' || origin === 'int') && inclusive === true
}

/** Whether the input has nothing at this path: an empty form field counts as nothing. */
function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input instanceof FormData ? Object.fromEntries(input) : input
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return true
    value = Reflect.get(value, step)
  }
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function boundsOf(issue: Issue): { min: number } | { max: number } | undefined {
  if (issue.code === 'too_small') return { min: Number(issue.minimum) }
  return issue.code === 'too_big' ? { max: Number(issue.maximum) } : undefined
}
