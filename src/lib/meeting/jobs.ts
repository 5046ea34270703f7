import type { JobList } from '#lib/core/jobs/jobs.ts'
import { findEncoder } from '#lib/core/media/encoder.ts'
import { chatJobs } from './chat/jobs.ts'
import { type DiscardRecordingsJob, discardRecordings } from './mentoring/discard-recording.ts'
import { hideExpiredButton } from './prepared-items.ts'
import { composeSessionVideos } from './recording/compose.ts'
import { composePreliminaryReplay, discardReplay } from './recording/preliminary-replay.ts'
import { trimSessionVideos } from './recording/trim.ts'
import { reconcileAllRooms } from './stream.ts'

export const meetingJobs: JobList = {
  ...chatJobs,
  'meeting.compose': {
    run: composeSessionVideos,
    concurrency: 1,
    timeoutHours: 8,
    maxAttempts: 6,
    retryDelaySeconds: 30,
    isReady: async () => (await findEncoder()) !== null,
  },
  'meeting.preliminaryReplay': {
    run: composePreliminaryReplay,
    concurrency: 1,
    timeoutHours: 2,
    maxAttempts: 4,
    retryDelaySeconds: 5,
    isReady: async () => (await findEncoder()) !== null,
  },
  'meeting.discardReplay': discardReplay,
  'meeting.trim': {
    run: trimSessionVideos,
    concurrency: 1,
    timeoutHours: 8,
    maxAttempts: 4,
    retryDelaySeconds: 30,
    isReady: async () => (await findEncoder()) !== null,
  },
  'meeting.discardRecording': (job: DiscardRecordingsJob) => discardRecordings(job),
  'meeting.hideEnded': hideExpiredButton,
  // A failed run is repeated a minute later.
  'meeting.sweep': { run: () => reconcileAllRooms(), cron: '* * * * *', maxAttempts: 1 },
}
