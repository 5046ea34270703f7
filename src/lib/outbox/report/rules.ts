export type ReportOutcome = 'delivered' | 'failed'

/**
 * What a report about an email means; null when it changes nothing: a delay, or a server that passed the email on without
 * reports. Each email has one recipient.
 */
export function outcomeOf(actions: readonly string[]): ReportOutcome | null {
  if (actions.includes('failed')) return 'failed'
  return actions.includes('delivered') || actions.includes('expanded') ? 'delivered' : null
}
