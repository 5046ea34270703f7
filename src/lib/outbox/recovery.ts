import type { Recovery } from '#lib/core/jobs/recovery.ts'

export const outboxRecoveries: Recovery[] = [
  {
    job: 'outbox.send',
    state: { table: 'outgoing_message', column: 'state', values: ['scheduled', 'sending'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'messageId', id) as data, null::text as key,
        null::timestamptz as start_after
      from outgoing_message where state in ('scheduled', 'sending') and kind <> 'event'
        and send_at < $1 - interval '10 minutes'`,
    timeoutHours: 4,
  },
]
