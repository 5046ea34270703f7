import type { Recovery } from '#lib/core/jobs/recovery.ts'
import { UPLOAD_TIMEOUT_HOURS } from '#lib/core/shared/storing.ts'
import { TRANSCRIBE_HOURS } from './caption/generation.ts'
import { EXAMINE_HOURS } from './upload/examine.ts'
import { ENCODE, ENCODE_HOURS } from './video/video.ts'

const ofFile = "jsonb_build_object('tenantId', tenant_id, 'fileId', file_id)"
const AFTER = "$1 - interval '10 minutes'"

const generated = (job: string, ofKind: string): Recovery => ({
  job,
  state: { table: 'generation', column: 'state', values: ['queued', 'running'] },
  waitingSql: `select ${ofFile} || jsonb_build_object('lang', lang) as data, file_id || ' ' || lang as key,
      null::timestamptz as start_after
    from generation where state in ('queued', 'running') and kind ${ofKind} 'texts' and touched_at < ${AFTER}`,
})

export const storageRecoveries: Recovery[] = [
  {
    job: ENCODE,
    state: { table: 'video', column: 'state', values: ['queued', 'processing', 'encoding', 'resolutionFinished'] },
    waitingSql: `select ${ofFile} as data, file_id::text as key, null::timestamptz as start_after from video
      where state in ('queued', 'processing', 'encoding', 'resolutionFinished') and queued_at < ${AFTER}`,
    timeoutHours: ENCODE_HOURS,
  },
  {
    job: 'storage.abandon',
    state: { table: 'upload', column: 'state', values: ['uploadStarted'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'uploadId', id) as data, id::text as key,
        null::timestamptz as start_after
      from upload where state = 'uploadStarted' and touched_at < $1 - interval '${UPLOAD_TIMEOUT_HOURS} hours 10 minutes'`,
  },
  {
    job: 'storage.examine',
    state: { table: 'file', column: 'sha256', values: ['null'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'fileId', id) as data, id::text as key,
        null::timestamptz as start_after
      from file where sha256 is null and kind <> 'folder' and created_at < ${AFTER}
        and exists (select 1 from upload u where u.id = file.id and u.state = 'uploadFinished')`,
    timeoutHours: EXAMINE_HOURS,
    runsOnce: true,
  },
  { ...generated('storage.transcribe', '<>'), timeoutHours: TRANSCRIBE_HOURS },
  generated('storage.suggest', '='),
]
