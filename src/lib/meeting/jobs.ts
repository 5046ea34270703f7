import type { JobList } from '#lib/core/jobs/jobs.ts'
import { findEncoder } from '#lib/core/media/encoder.ts'
import { chatJobs } from './chat/jobs.ts'
import { composeFilm } from './recording/compose.ts'
import { trimFilms } from './recording/trim.ts'
import { hideEnded } from './show.ts'
import { sweepRooms } from './stream.ts'

export const meetingJobs: JobList = {
  ...chatJobs,
  'meeting.compose': {
    run: composeFilm,
    atOnce: 1,
    hours: 8,
    tries: 6,
    retryDelaySeconds: 30,
    ready: async () => (await findEncoder()) !== null,
  },
  'meeting.trim': {
    run: trimFilms,
    atOnce: 1,
    hours: 8,
    tries: 4,
    retryDelaySeconds: 30,
    ready: async () => (await findEncoder()) !== null,
  },
  'meeting.hideEnded': hideEnded,
  // It comes again in a minute anyway.
  'meeting.sweep': { run: () => sweepRooms(), cron: '* * * * *', tries: 1 },
}
