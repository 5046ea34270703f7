import type { OrderState } from '#lib/offer/order/state-schema.ts'

export interface DemoOrder {
  name: string
  /** The part of the address before `@lektoriy.test`, or an address. */
  buyer: string
  offer: 'Самостійно' | 'Частинами' | 'Клуб випускників'
  state: OrderState
  daysAgo: number
  /** How many of its payments were made. */
  payments: number
  /** When the next payment is due, in days from now. */
  dueInDays?: number
  refunded?: number
  coupon?: true
  /** The bank has refused the latest payment. */
  refused?: true
  /** An invoice is to be paid by bank transfer. */
  invoice?: true
  source?: Record<string, string>
  note?: string
}

const ALONE = 'Самостійно'
const PARTS = 'Частинами'
const CLUB = 'Клуб випускників'

/** Orders in the states that a school sees every day, oldest first. */
export const ORDERS: readonly DemoOrder[] = [
  {
    name: 'Галина Петренко',
    buyer: 'halyna.petrenko',
    offer: ALONE,
    state: 'paid',
    daysAgo: 96,
    payments: 1,
    source: { utm_source: 'instagram', utm_campaign: 'summer' },
  },
  { name: 'Василь Гриценко', buyer: 'vasyl.hrytsenko', offer: PARTS, state: 'completed', daysAgo: 92, payments: 3 },
  {
    name: 'Микола Данилюк',
    buyer: 'mykola.danyliuk',
    offer: PARTS,
    state: 'suspended',
    daysAgo: 70,
    payments: 1,
    dueInDays: -40,
    source: { utm_source: 'google' },
  },
  {
    name: 'Богдан Марченко',
    buyer: 'bohdan.marchenko',
    offer: ALONE,
    state: 'refunded',
    daysAgo: 64,
    payments: 1,
    refunded: 240_000,
    source: { utm_source: 'instagram' },
    note: 'Придбано двічі, кошти повернуто.',
  },
  {
    name: 'Лілія Сидоренко',
    buyer: 'liliia.sydorenko',
    offer: CLUB,
    state: 'paused',
    daysAgo: 44,
    payments: 2,
    dueInDays: 16,
    note: 'У відпустці до кінця місяця.',
  },
  {
    name: 'Андрій Коваленко',
    buyer: 'andrii.kovalenko',
    offer: ALONE,
    state: 'paid',
    daysAgo: 41,
    payments: 1,
    coupon: true,
    source: { utm_source: 'newsletter' },
    note: 'Оплатила компанія, акт надіслано.',
  },
  {
    name: 'Софія Олійник',
    buyer: 'sofiia.oliinyk',
    offer: PARTS,
    state: 'overdue',
    daysAgo: 33,
    payments: 1,
    dueInDays: -3,
    source: { utm_source: 'instagram', utm_campaign: 'autumn' },
  },
  {
    name: 'Ярослава Мельник',
    buyer: 'yaroslava.melnyk',
    offer: ALONE,
    state: 'partially_refunded',
    daysAgo: 30,
    payments: 1,
    refunded: 60_000,
    note: 'Повернуто чверть: перший модуль уже знайомий.',
  },
  {
    name: 'Олена Шевчук',
    buyer: 'student@kafedra.test',
    offer: ALONE,
    state: 'paid',
    daysAgo: 16,
    payments: 1,
    coupon: true,
    source: { utm_source: 'newsletter' },
  },
  {
    name: 'Роман Яценко',
    buyer: 'roman.yatsenko',
    offer: PARTS,
    state: 'active',
    daysAgo: 14,
    payments: 1,
    dueInDays: 16,
  },
  {
    name: 'Катерина Мороз',
    buyer: 'kateryna.moroz',
    offer: CLUB,
    state: 'active',
    daysAgo: 12,
    payments: 1,
    dueInDays: 18,
    source: { utm_source: 'telegram' },
  },
  { name: 'Марко Ничипоренко', buyer: 'marko.nychyporenko', offer: ALONE, state: 'canceled', daysAgo: 8, payments: 0 },
  {
    name: 'Зоряна Кузь',
    buyer: 'zoriana.kuz',
    offer: ALONE,
    state: 'expired',
    daysAgo: 3,
    payments: 0,
    source: { utm_source: 'google' },
  },
  {
    name: 'Тетяна Руденко',
    buyer: 'tetiana.rudenko',
    offer: ALONE,
    state: 'awaiting_payment',
    daysAgo: 1,
    payments: 0,
    refused: true,
  },
  {
    name: 'ТОВ «Обрій»',
    buyer: 'office.obrii',
    offer: ALONE,
    state: 'awaiting_payment',
    daysAgo: 0.3,
    payments: 0,
    invoice: true,
    note: 'Попросили надіслати рахунок ще й бухгалтерці.',
  },
]
