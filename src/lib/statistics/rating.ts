import { count, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { meetingRating } from '#lib/meeting/table.ts'

/** Average rating of a session, 1 to 5 stars, and the number of ratings. */
export async function readRating(tx: Tx, sessionId: string): Promise<{ rating: number | null; ratings: number }> {
  const [row] = await tx
    .select({ rating: sql<number | null>`avg(${meetingRating.stars})::float8`, ratings: count() })
    .from(meetingRating)
    .where(eq(meetingRating.sessionId, sessionId))
  return row ?? { rating: null, ratings: 0 }
}
