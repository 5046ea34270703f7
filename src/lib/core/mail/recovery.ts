import type { Recovery } from '../jobs/recovery.ts'

export const mailRecoveries: Recovery[] = [
  {
    job: 'mail.deliver',
    state: { table: 'mail', column: 'status', values: ['queued'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'mailId', id) as data, null::text as key,
        send_after as start_after
      from mail where status = 'queued' and created_at < $1 - interval '10 minutes'`,
    hasUntenantedRows: true,
  },
]
