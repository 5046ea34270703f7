import { formatDate, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OrderAccessView } from '#lib/course/access/order/order-access.ts'

/** The access of an order in one sentence: the key of the text `checkout:access.<kind>` and its values. */
export interface AccessSummary {
  kind: 'none' | 'open' | 'until' | 'partly' | 'planned' | 'frozen' | 'notPublished' | 'ended' | 'endedAt' | 'blocked'
  /** When it ends or has ended, or begins. */
  at: Date | null
  /** Titles of the courses that the order opens now, and of those that it does not. */
  open: string[]
  closed: string[]
  /** Closed courses to which the student has access from elsewhere. */
  elsewhere: string[]
}

/** What the pages and emails of an order say about its access. */
export function summarizeAccess({ courses, isBlocked }: OrderAccessView): AccessSummary {
  const open = courses.filter(({ isOpen }) => isOpen)
  const closed = courses.filter(({ isOpen }) => !isOpen)
  const titles = {
    open: open.map(({ title }) => title),
    closed: closed.map(({ title }) => title),
    elsewhere: closed.filter(({ hasOther }) => hasOther).map(({ title }) => title),
  }
  const [first] = open.length > 0 ? open : closed
  if (!first) return { kind: 'none', at: null, ...titles }
  if (isBlocked) return { kind: 'blocked', at: null, ...titles }
  if (open.length > 0 && closed.length > 0) return { kind: 'partly', at: null, ...titles }
  if (open.length > 0) {
    const at = open.flatMap(({ endsAt }) => endsAt ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
    return { kind: at ? 'until' : 'open', at, ...titles }
  }
  switch (first.reason) {
    case 'not_started':
      return { kind: 'planned', at: first.opensAt, ...titles }
    case 'frozen':
      return { kind: 'frozen', at: first.opensAt, ...titles }
    case 'course_not_published':
      return { kind: 'notPublished', at: null, ...titles }
    default:
      return { kind: first.endsAt ? 'endedAt' : 'ended', at: first.endsAt, ...titles }
  }
}

/** Whether the student can open something of the order now. */
export const isOpenAccess = ({ kind }: Pick<AccessSummary, 'kind'>): boolean =>
  kind === 'open' || kind === 'until' || kind === 'partly'

/** The summary in words; dates in the time zone of the school. */
export function accessText(t: Translate, summary: AccessSummary, { zone, locale }: { zone: string; locale: Locale }) {
  const { kind, at } = summary
  return t(`checkout:access.${kind === 'frozen' && at ? 'frozenUntil' : kind === 'planned' && !at ? 'none' : kind}`, {
    date: at ? formatDate(at, zone, locale) : '',
    open: quoted(summary.open),
    closed: quoted(summary.closed),
  })
}

/** Which of the closed courses stay open to the student by other access; empty: none. */
export const elsewhereText = (t: Translate, { elsewhere }: Pick<AccessSummary, 'elsewhere'>): string =>
  elsewhere.length > 0 ? t('checkout:access.elsewhere', { courses: quoted(elsewhere) }) : ''

/** Titles in a sentence. */
export const quoted = (titles: readonly string[]): string => titles.map((title) => `«${title}»`).join(', ')
