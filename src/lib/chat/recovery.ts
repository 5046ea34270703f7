import type { Recovery } from '#lib/core/jobs/recovery.ts'

export const chatRecoveries: Recovery[] = [
  {
    job: 'chat.export',
    state: { table: 'chat_export', column: 'state', values: ['queued'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'exportId', id) as data, id::text as key,
        null::timestamptz as start_after
      from chat_export where state = 'queued' and requested_at < $1 - interval '10 minutes'`,
  },
  {
    job: 'chat.sendScheduled',
    state: { table: 'chat_scheduled_message', column: 'send_at', values: [] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'messageId', id) as data,
        id || ' ' || (extract(epoch from send_at) * 1000)::bigint as key, null::timestamptz as start_after
      from chat_scheduled_message where failure is null and send_at < $1 - interval '10 minutes'`,
  },
]
