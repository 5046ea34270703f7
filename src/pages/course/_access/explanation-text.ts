import { formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AccessExplanation, GrantView } from '#lib/course/access/explain-access.ts'
import { reasonText } from './reason-text.ts'

/** The source of a grant, to be used inside a sentence. */
export function sourceText({ sourceType, name }: Pick<GrantView, 'sourceType' | 'name'>, t: Translate): string {
  return t(`access:source.${sourceType}`, { name: name ?? '' })
}

/** Sentences that explain why a lesson is open or closed; times in the tenant's zone. */
export function explanationSentences(explanation: AccessExplanation, t: Translate, locale: Locale): string[] {
  const { access, grants, override, zone } = explanation
  const at = (moment: Date) => formatDateTime(moment, zone, locale)
  const sentences: string[] = []
  if (override) {
    const how = override.effect === 'open' ? 'opened' : override.effect === 'close' ? 'closed' : 'moved'
    sentences.push(t(`access:why.${how}`, { by: override.by, at: at(override.at), days: override.days }))
    if (override.note) sentences.push(t('access:why.note', { note: override.note }))
  }
  if (access.allow) {
    const grant = grants.find(({ id }) => id === access.grantId)
    if (!override && grant) sentences.push(t('access:why.open', { source: sourceText(grant, t) }))
  } else if (override?.effect !== 'close') {
    sentences.push(reasonText(access, t, zone, locale))
    if (access.endedAt) sentences.push(t('access:why.ended', { at: at(access.endedAt) }))
  }
  return sentences
}

/** Period of a grant. */
export function periodText({ startsAt, endsAt }: GrantView, t: Translate, zone: string, locale: Locale): string {
  const from = t('access:grant.from', { at: formatDateTime(startsAt, zone, locale) })
  const until = endsAt
    ? t('access:grant.until', { at: formatDateTime(endsAt, zone, locale) })
    : t('access:grant.endless')
  return `${from}, ${until}`
}

const STATES = ['open', 'not_started', 'ended', 'frozen', 'revoked'] as const

/** Current state of a grant. */
export function stateText({ access }: GrantView, t: Translate): string {
  const state = STATES.find((state) => state === access.reason) ?? 'open'
  return t(`access:grant.state.${state}`)
}
