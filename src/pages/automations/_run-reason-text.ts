import type { Translate } from '#lib/core/shared/text/strings.ts'

interface RefusedRun {
  reason: string | null
  responseStatus: number | null
}

const REASONS = [
  'course_archived',
  'group_full',
  'group_finished',
  'group_archived',
  'webhook_refused',
  'webhook_silent',
  'webhook_private',
  'webhook_not_web',
  'webhook_secret',
  'switched_off',
] as const

/** Why a run was refused or has failed, for the log of an automation. */
export function runReasonText(t: Translate, { reason, responseStatus }: RefusedRun): string {
  const known = REASONS.find((key) => key === reason)
  return t(`automation:reason.${known ?? 'other'}`, { status: responseStatus ?? '' })
}
