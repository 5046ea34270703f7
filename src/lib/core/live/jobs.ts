import { sql } from 'drizzle-orm'
import { inSystem } from '../db/db.ts'
import type { JobList } from '../jobs/jobs.ts'

export const liveJobs: JobList = {
  'live.sweep': { run: deleteOldLiveEvents, cron: '*/10 * * * *' },
}

/** Deletes events older than an hour and expired throttle rows. The newest event of each tenant is kept as the position of its streams. */
export async function deleteOldLiveEvents(): Promise<void> {
  await inSystem((tx) => tx.execute(sql`select sweep_live_events(), sweep_throttle()`))
}
