import type { AttemptState, FeedbackTime } from '#lib/core/shared/quiz.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'

/** The effective settings of a test for one student, including exceptions. */
export interface EffectiveSettings {
  openAt: Date | null
  closeAt: Date | null
  timeLimitSec: number | null
  attempts: number | null
  delayMinutes: number
}

export interface AttemptOverrideFacts {
  /** Null: of a study group. An exception of the student precedes those of groups. */
  studentId: string | null
  openAt: Date | null
  closeAt: Date | null
  timeLimitSec: number | null
  extraAttempts: number
  extraTimeSec: number
}

/** Applies exceptions: that of the student if there is one, otherwise the most favorable values of all groups. */
export function effectiveSettings(
  quiz: EffectiveSettings,
  overrides: readonly AttemptOverrideFacts[],
): EffectiveSettings {
  const own = overrides.filter(({ studentId }) => studentId !== null)
  const applied = own.length > 0 ? own : overrides
  const earliest = (dates: (Date | null)[]) => extreme(dates, Math.min)
  const latest = (dates: (Date | null)[]) => extreme(dates, Math.max)
  const limits = applied.flatMap(({ timeLimitSec }) => timeLimitSec ?? [])
  const limit = limits.length > 0 ? Math.max(...limits) : quiz.timeLimitSec
  const most = (values: number[]) => Math.max(0, ...values)
  return {
    openAt: earliest(applied.map(({ openAt }) => openAt)) ?? quiz.openAt,
    closeAt: latest(applied.map(({ closeAt }) => closeAt)) ?? quiz.closeAt,
    timeLimitSec: limit === null ? null : limit + most(applied.map(({ extraTimeSec }) => extraTimeSec)),
    attempts: quiz.attempts === null ? null : quiz.attempts + most(applied.map(({ extraAttempts }) => extraAttempts)),
    delayMinutes: quiz.delayMinutes,
  }
}

function extreme(dates: (Date | null)[], pick: (...values: number[]) => number): Date | null {
  const times = dates.flatMap((date) => date?.getTime() ?? [])
  return times.length > 0 ? new Date(pick(...times)) : null
}

export interface AttemptFacts {
  state: AttemptState
  submittedAt: Date | null
}

/** Whether a student can start an attempt at `now`; otherwise the reason, and the time at which that changes. */
export type StartVerdict =
  | { allow: true; left: number | null }
  | { allow: false; reason: 'notOpen' | 'closed' | 'exhausted' | 'delay'; at: Date | null; left: number | null }

export function startVerdict(settings: EffectiveSettings, attempts: readonly AttemptFacts[], now: Date): StartVerdict {
  const left = settings.attempts === null ? null : Math.max(0, settings.attempts - attempts.length)
  const deny = (reason: 'notOpen' | 'closed' | 'exhausted' | 'delay', at: Date | null) =>
    ({ allow: false, reason, at, left }) as const
  if (settings.openAt && now < settings.openAt) return deny('notOpen', settings.openAt)
  if (settings.closeAt && now >= settings.closeAt) return deny('closed', settings.closeAt)
  if (left === 0) return deny('exhausted', null)
  const last = Math.max(0, ...attempts.map(({ submittedAt }) => submittedAt?.getTime() ?? 0))
  const next = new Date(last + settings.delayMinutes * MINUTE_MS)
  return last > 0 && now < next ? deny('delay', next) : { allow: true, left }
}

/** The end of an attempt by the server's clock: its time limit or the closing of the test; null without either. */
export function deadlineOf(
  startedAt: Date,
  { timeLimitSec, closeAt }: Pick<EffectiveSettings, 'timeLimitSec' | 'closeAt'>,
): Date | null {
  const limited = timeLimitSec === null ? null : new Date(startedAt.getTime() + timeLimitSec * 1000)
  return extreme([limited, closeAt], Math.min)
}

/**
 * Actions that are still allowed in a running attempt: `open` answers are saved, also for `networkGraceSec` after the
 * deadline, when slow requests arrive; `grace` it may be submitted but not changed; `over` it is ended.
 */
export function attemptPhase(
  {
    deadlineAt,
    rules,
  }: {
    deadlineAt: Date | null
    rules: { onExpiry: 'autoSubmit' | 'graceSubmit' | 'discard'; graceSec: number; networkGraceSec: number }
  },
  now: Date,
): 'open' | 'grace' | 'over' {
  if (deadlineAt === null) return 'open'
  const late = (now.getTime() - deadlineAt.getTime()) / 1000
  if (late <= rules.networkGraceSec) return 'open'
  return rules.onExpiry === 'graceSubmit' && late <= Math.max(rules.graceSec, rules.networkGraceSec) ? 'grace' : 'over'
}

/** Whether results with their answers are shown at `now`. */
export function isFeedbackDue(
  { feedback, closeAt }: { feedback: FeedbackTime; closeAt: Date | null },
  state: AttemptState,
  now: Date,
): boolean {
  if (state === 'inProgress' || state === 'overdue' || feedback === 'never') return false
  return feedback !== 'afterClose' || (closeAt !== null && now >= closeAt)
}

/** The page of a question, from 0. */
export const pageOfQuestion = (index: number, perPage: number | null): number =>
  perPage === null ? 0 : Math.floor(index / perPage)

/** Number of pages, at least 1. */
export const countPages = (questions: number, perPage: number | null): number =>
  perPage === null ? 1 : Math.max(1, Math.ceil(questions / perPage))
