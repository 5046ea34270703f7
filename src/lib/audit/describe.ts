import { formatDate, formatDateTime, formatDuration, formatNumber, type Locale } from '#lib/core/shared/locale.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'
import { AUDIT_ACTIONS, type AuditAction } from './schema.ts'
import { AUDIT_FIELDS } from './values-schema.ts'

interface Change {
  action: AuditAction
  objectName: string
  before: object | null
  after: object | null
}

interface Wording {
  t: Translate
  locale: Locale
  timeZone: string
}

/**
 * What an entry has changed, in words: «Посада: Куратор». Values that are the same before and after, ids and empty values
 * of new objects are omitted.
 */
export function describeChange(entry: Change, wording: Wording): { before: string[]; after: string[] } {
  const [before, after] = [flattenValues(entry.before), flattenValues(entry.after)]
  const isSame = (name: string) => JSON.stringify(before.get(name)) === JSON.stringify(after.get(name))
  const describe = (values: Map<string, unknown>, others: Map<string, unknown>) =>
    [...values].flatMap(([name, value]) => {
      const isHidden = isSame(name) || isId(value) || (isEmpty(value) && !others.has(name))
      return isHidden ? [] : `${valueLabel(name, wording.t)}: ${describeValue(entry.action, name, value, wording)}`
    })
  return { before: describe(before, after), after: describe(after, before) }
}

/** The name of the object of an entry; of an action on many students and of an email without a subject, its kind. */
export function describeObject({ action, objectName }: Pick<Change, 'action' | 'objectName'>, t: Translate): string {
  if (!WORD.test(objectName)) return objectName
  if (action === 'students.changed') return translated(`student:bulk.${objectName}.title`, objectName, t)
  return action.startsWith('message.') ? translated(`outbox:kind.${objectName}`, objectName, t) : objectName
}

const WORD = /^\w+$/

/** Custom fields are labelled by their own names. */
function flattenValues(values: object | null): Map<string, unknown> {
  const { customFields, ...own } = { customFields: {}, ...values }
  return new Map([...Object.entries(own), ...Object.entries(customFields)])
}

function valueLabel(name: string, t: Translate): string {
  const field = AUDIT_FIELDS.find((known) => known === name)
  return field ? t(`audit:field.${field}`) : name
}

function describeValue(action: AuditAction, name: string, value: unknown, wording: Wording): string {
  const { t, locale } = wording
  if (isEmpty(value)) return t('audit:value.empty')
  if (typeof value === 'boolean') return t(value ? 'audit:value.yes' : 'audit:value.no')
  if (typeof value === 'number') return name === 'seconds' ? formatDuration(value, locale) : formatNumber(value, locale)
  if (Array.isArray(value)) return value.map((item) => describeValue(action, name, item, wording)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (name === 'logo') return t('audit:value.uploaded')
  return wordOf(action, name, value, t) ?? formatMoment(value, wording)
}

/** Instants in the time zone of the school; other texts as they are. */
function formatMoment(value: string, { locale, timeZone }: Wording): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(value)) return formatDateTime(value, timeZone, locale)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(`${value}T12:00:00Z`, 'UTC', locale) : value
}

/** Keys of translations for fields with a closed set of values. */
const KEYS: Record<string, (value: string) => string> = {
  roles: (value) => `team:role.${value}`,
  locale: (value) => `shell:language.${value}`,
  change: (value) => `audit:value.change.${value}`,
  status: (value) => `student:status.${value}`,
  progress: (value) => `student:progress.${value}`,
  activity: (value) => `student:activity.${value}`,
  contactPolicy: (value) => `chat:settings.${value}`,
  sort: (value) => `audit:value.sort.${value}`,
  kind: (value) => `settings:fields.kinds.${value}`,
  state: (value) => `certificate:state.${value}`,
  type: (value) => `certificate:rule.${value}`,
  emailTopics: (value) => `notification:topic.${value}`,
  reasons: (value) => `audit:value.risk.${value}`,
  reason: (value) => `audit:value.reason.${value}`,
}

function wordOf(action: AuditAction, name: string, value: string, t: Translate): string | null {
  if (name === 'format') return value.toUpperCase()
  if (name === 'action') {
    const audited = AUDIT_ACTIONS.find((known) => known === value)
    return audited ? t(`audit:action.${audited}`) : describeObject({ action, objectName: value }, t)
  }
  const key = KEYS[name]
  return key && WORD.test(value) ? translated(key(value), value, t) : null
}

/** A text of the dictionary, or the value where the dictionary has none: a reason that an older version has written. */
function translated(key: string, value: string, t: Translate): string {
  const text = t(keyFrom(key))
  return key.endsWith(text) ? value : text
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
const isId = (value: unknown): boolean =>
  typeof value === 'string' ? UUID_PATTERN.test(value) : Array.isArray(value) && value.length > 0 && value.every(isId)
