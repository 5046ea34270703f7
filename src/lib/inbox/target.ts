/** The conversation in which a question was asked. */
export type Target =
  | { kind: 'conversation'; conversationId: string }
  | { kind: 'thread'; taskId: string; studentId: string }

/** Where an item is answered; null for a submission or attempt, which has a review page. */
export function targetOf(ref: string): Target | null {
  const [kind, key = ''] = ref.split('.')
  if (kind === 'chat' || kind === 'lesson') return { kind: 'conversation', conversationId: key }
  const [taskId = '', studentId = ''] = key.split(':')
  return kind === 'thread' ? { kind, taskId, studentId } : null
}
