import { formatDate, formatNumber as formatLocalNumber } from '#lib/core/shared/locale.ts'
import type { VariableTexts } from '../template/fill-rules.ts'
import type { Snapshot } from './snapshot-schema.ts'

interface Printed {
  nameAsPrinted: string
  number: string | null
  issuedAt: Date | null
  expiresAt: Date | null
}

/** The values of the variables of a template for one certificate, in the language of the template. */
export function textsOf(snapshot: Snapshot, { nameAsPrinted, number, issuedAt, expiresAt }: Printed): VariableTexts {
  const { timeZone, hours, score, url } = snapshot
  const { locale } = snapshot.template
  return {
    name: nameAsPrinted,
    course: snapshot.course,
    school: snapshot.school,
    date: issuedAt ? formatDate(issuedAt, timeZone, locale) : '',
    expires: expiresAt ? formatDate(expiresAt, timeZone, locale) : '',
    number: number ?? '',
    hours: hours === null ? '' : formatLocalNumber(hours, locale),
    score: score === null ? '' : formatLocalNumber(score, locale),
    url: url.replace(/^https?:\/\//, ''),
  }
}
