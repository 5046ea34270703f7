import type { Recovery } from '#lib/core/jobs/recovery.ts'
import { IMPORT_HOURS, IMPORT_JOB } from './transfer/transfer.ts'

export const courseRecoveries: Recovery[] = [
  {
    job: IMPORT_JOB,
    state: { table: 'transfer', column: 'state', values: ['queued', 'running'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'transferId', id, 'requestingActor', requesting_actor) as data,
        id::text as key, null::timestamptz as start_after
      from transfer where state in ('queued', 'running') and requesting_actor is not null
        and created_at < $1 - interval '10 minutes'`,
    timeoutHours: IMPORT_HOURS,
  },
]
