import type { Tx } from '#lib/core/db/db.ts'
import type { Refusal } from '#lib/core/http/refusal.ts'
import { type Budget, spend, tooMany } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formatDateTime } from '#lib/core/shared/locale.ts'

/** Letters a day to people who did not ask for them. A trial costs nothing, so it can send little. */
export const LETTERS_A_DAY = {
  invitations: { trial: 100, paid: 1000 },
  registrations: { trial: 500, paid: 5000 },
} as const
export type DailyLetters = keyof typeof LETTERS_A_DAY

type School = Pick<Actor, 'tenantId' | 'plans' | 'timeZone' | 'locale'>

const DAY_SECONDS = 24 * 3600

/**
 * Spends some of a school's letters of the day in the surrounding transaction. With `partly` it grants what is left;
 * otherwise it refuses with too_many (`letters_of_day`) when that is not enough, and says when there are more.
 */
export async function spendLetters(
  tx: Tx,
  school: School,
  kind: DailyLetters,
  amount: number,
  { partly = false }: { partly?: boolean } = {},
): Promise<Budget> {
  const limit = lettersADay(school, kind)
  const rule = { limit, windowSeconds: DAY_SECONDS, partly }
  const budget = await spend(tx, `letters:${kind}:${school.tenantId}`, amount, rule)
  if (budget.granted < amount && !partly) throw spent(school, limit, budget)
  return budget
}

/** How many letters of a kind a school may send a day. */
export function lettersADay({ plans }: Pick<Actor, 'plans'>, kind: DailyLetters): number {
  const current = plans.filter(({ state }) => state === 'current')
  const { trial, paid } = LETTERS_A_DAY[kind]
  return current.some(({ trialEndsAt }) => trialEndsAt === null) ? paid : trial
}

function spent({ timeZone, locale }: School, limit: number, { left, resetsAt }: Budget): Refusal {
  return tooMany(Math.ceil((resetsAt.getTime() - Date.now()) / 1000), {
    fields: { form: ['letters_of_day'] },
    variables: { limit, left, at: formatDateTime(resetsAt, timeZone, locale) },
    data: { left, resetsAt: resetsAt.toISOString() },
  })
}
