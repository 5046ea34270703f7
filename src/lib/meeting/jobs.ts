import type { JobList } from '#lib/core/jobs/jobs.ts'
import { findEncoder } from '#lib/core/media/encoder.ts'
import { chatJobs } from './chat-jobs.ts'
import { composeFilm } from './compose.ts'
import { hideEnded } from './show.ts'
import { sweepRooms } from './stream.ts'

export const meetingJobs: JobList = {
  ...chatJobs,
  'meeting.compose': {
    run: composeFilm,
    ...{ atOnce: 1, hours: 8, tries: 6, retryDelaySeconds: 30 },
    ready: async () => (await findEncoder()) !== null,
  },
  'meeting.hideEnded': hideEnded,
  'meeting.sweep': { run: () => sweepRooms(), cron: '* * * * *' },
}
