import { stat } from 'node:fs/promises'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import type { JobData } from '#lib/core/jobs/jobs.ts'
import type { Recovery } from '#lib/core/jobs/recovery.ts'

export const meetingRecoveries: Recovery[] = [
  {
    job: 'meeting.compose',
    state: { table: 'workshop_session', column: 'video_file_id', values: ['null'] },
    waitingSql: `select jsonb_build_object('tenantId', s.tenant_id, 'sessionId', s.id) as data, s.id::text as key,
        null::timestamptz as start_after
      from workshop_session s where s.kind = 'live' and s.started_at is not null and s.video_file_id is null
        and s.finished_at between $1 - interval '14 days' and $1 - interval '10 minutes'`,
    runsOnce: true,
    isNeeded: isRecorded,
  },
]

// After this time without a video the composition has failed, or nothing was recorded.
async function isRecorded({ sessionId }: JobData): Promise<boolean> {
  return stat(recordingDirectory(String(sessionId))).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}
