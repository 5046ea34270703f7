import type { Recovery } from '#lib/core/jobs/recovery.ts'
import { UPLOAD_TIMEOUT_HOURS } from '#lib/core/shared/stored-file.ts'
import { TRANSCRIBE_HOURS } from './caption/generation.ts'
import { EXAMINE_HOURS } from './upload/examine.ts'
import { ABANDON_JOB } from './upload/upload.ts'
import { ENCODE_HOURS, ENCODE_JOB } from './video/video.ts'

const FILE_DATA = "jsonb_build_object('tenantId', tenant_id, 'fileId', file_id)"
const CUTOFF = "$1 - interval '10 minutes'"

const generationRecovery = (job: string, ofKind: string): Recovery => ({
  job,
  state: { table: 'generation', column: 'state', values: ['queued', 'running'] },
  waitingSql: `select ${FILE_DATA} || jsonb_build_object('lang', lang) as data, file_id || ' ' || lang as key,
      null::timestamptz as start_after
    from generation where state in ('queued', 'running') and kind ${ofKind} 'texts' and touched_at < ${CUTOFF}`,
})

export const storageRecoveries: Recovery[] = [
  {
    job: ENCODE_JOB,
    state: { table: 'video', column: 'state', values: ['queued', 'processing', 'encoding', 'resolutionFinished'] },
    waitingSql: `select ${FILE_DATA} as data, file_id::text as key, null::timestamptz as start_after from video
      where state in ('queued', 'processing', 'encoding', 'resolutionFinished') and queued_at < ${CUTOFF}`,
    timeoutHours: ENCODE_HOURS,
  },
  {
    job: ABANDON_JOB,
    state: { table: 'upload', column: 'state', values: ['uploadStarted'] },
    waitingSql: `select distinct jsonb_build_object('tenantId', tenant_id) as data, tenant_id::text as key,
        null::timestamptz as start_after
      from upload where state = 'uploadStarted' and touched_at < $1 - interval '${UPLOAD_TIMEOUT_HOURS} hours 10 minutes'`,
  },
  {
    job: 'storage.examine',
    state: { table: 'file', column: 'sha256', values: ['null'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'fileId', id) as data, id::text as key,
        null::timestamptz as start_after
      from file where sha256 is null and kind <> 'folder' and created_at < ${CUTOFF}
        and exists (select 1 from upload u where u.id = file.id and u.state = 'uploadFinished')`,
    timeoutHours: EXAMINE_HOURS,
    runsOnce: true,
  },
  { ...generationRecovery('storage.transcribe', '<>'), timeoutHours: TRANSCRIBE_HOURS },
  generationRecovery('storage.suggest', '='),
]
