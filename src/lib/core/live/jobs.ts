import { sql } from 'drizzle-orm'
import { inSystem } from '../db/db.ts'
import type { JobList } from '../jobs/jobs.ts'

export const liveJobs: JobList = {
  'live.sweep': { run: sweep, cron: '*/10 * * * *' },
}

/** Takes away what is older than an hour; each school keeps its newest event, so that streams know where they are. */
export async function sweep(): Promise<void> {
  await inSystem((tx) => tx.execute(sql`select sweep_live_events(), sweep_throttle()`))
}
