/** The conversation in which a question was asked. */
export type Target =
  | { kind: 'conversation'; conversationId: string }
  | { kind: 'thread'; taskId: string; studentId: string }

/** Where an item is answered; null for a submission, an attempt or a booking, which has its own page. */
export function targetOf(ref: string): Target | null {
  const [kind, key = ''] = ref.split('.')
  if (kind === 'chat' || kind === 'lesson') return { kind: 'conversation', conversationId: key }
  return kind === 'thread' ? { kind, ...parseThreadKey(key) } : null
}

/** The task and the student of the key of a thread. */
export function parseThreadKey(key: string): { taskId: string; studentId: string } {
  const [taskId = '', studentId = ''] = key.split(':')
  return { taskId, studentId }
}
