import type { z } from 'zod'
import { readInstant } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseMoney } from '#lib/offer/money-rules.ts'
import { MAX_OFFER_QUESTIONS, type OfferSettings, UPGRADE_KINDS } from '#lib/offer/schema.ts'
import { formText } from '../../_request/form-actions.ts'
import { readNumberField } from '../_quiz/quiz-fields.ts'

/** The settings of an offer as its form posts them. */
export function offerSettingsOf(form: FormData, { tenantTimeZone: zone }: Actor): z.input<typeof OfferSettings> {
  const chosen = (group: string) =>
    [...form.keys()].filter((name) => name.startsWith(`${group}.`)).map((name) => name.slice(group.length + 1))
  const text = (name: string) => formText(form, name)
  return {
    name: text('name'),
    description: text('description'),
    visibility: oneOf(text('visibility')),
    kind: oneOf(text('kind')),
    currency: oneOf(text('currency')),
    price: moneyOf(form, 'price') ?? 0,
    oldPrice: moneyOf(form, 'oldPrice'),
    salePrice: moneyOf(form, 'salePrice'),
    saleFrom: readInstant(form, 'saleFrom', zone),
    saleTo: readInstant(form, 'saleTo', zone),
    period: oneOf(text('period')),
    trialDays: readNumberField(form, 'trialDays') ?? 0,
    installmentCount: readNumberField(form, 'installmentCount') ?? undefined,
    installmentDays: readNumberField(form, 'installmentDays') ?? undefined,
    firstAmount: moneyOf(form, 'firstAmount'),
    moduleIds: text('contents') === 'modules' ? chosen('module') : null,
    courseIds: chosen('course'),
    workshopIds: chosen('event'),
    mentorProgramId: text('mentorProgramId') || null,
    mentorSessions: readNumberField(form, 'mentorSessions'),
    withReview: form.has('withReview'),
    withCertificate: form.has('withCertificate'),
    groupId: text('groupId') || null,
    accessFrom: text('kind') === 'subscription' ? null : readInstant(form, 'accessFrom', zone),
    accessType: oneOf(text('accessType')),
    accessUntil: readInstant(form, 'accessUntil', zone),
    accessDays: readNumberField(form, 'accessDays'),
    salesFrom: readInstant(form, 'salesFrom', zone),
    salesTo: readInstant(form, 'salesTo', zone),
    seats: readNumberField(form, 'seats'),
    upgradesOfferId: UPGRADE_KINDS.some((kind) => kind === text('kind')) ? text('upgradesOfferId') || null : null,
    seoTitle: text('seoTitle'),
    seoDescription: text('seoDescription'),
    phone: oneOf(text('phone')),
    questions: questionsOf(form),
    afterMessage: text('afterMessage'),
    afterUrl: text('afterUrl'),
    emailText: text('emailText'),
    crossSellIds: chosen('offer'),
  }
}

/** A typed amount in minor units; null for an empty field, NaN for text that is no amount. */
export function moneyOf(form: FormData, name: string): number | null {
  const typed = formText(form, name).trim()
  return typed === '' ? null : (parseMoney(typed) ?? Number.NaN)
}

/** A value of a select; the schema refuses unknown ones. */
const oneOf = <T extends string>(value: string): T => value as T

/** Questions of the checkout; rows without a text are omitted. */
function questionsOf(form: FormData): { id: string; label: string; required: boolean }[] {
  return Array.from({ length: MAX_OFFER_QUESTIONS + 1 }, (_, index) => ({
    id: formText(form, `question${index}Id`) || crypto.randomUUID(),
    label: formText(form, `question${index}Label`).trim(),
    required: form.has(`question${index}Required`),
  })).filter(({ label }) => label !== '')
}
