export type ReportOutcome = 'delivered' | 'failed'

/**
 * The state that follows from a report about an email; null when it does not change: a delay, or a server that relayed
 * the email without reports. Each email has one recipient.
 */
export function reportOutcomeOf(actions: readonly string[]): ReportOutcome | null {
  if (actions.includes('failed')) return 'failed'
  return actions.includes('delivered') || actions.includes('expanded') ? 'delivered' : null
}
