import type { Recovery } from '#lib/core/jobs/recovery.ts'

export const automationRecoveries: Recovery[] = [
  {
    job: 'automation.callWebhook',
    state: { table: 'automation_run', column: 'result', values: ['pending'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'automationId', automation_id, 'studentId', student_id,
          'cause', cause) as data, automation_id || '/' || student_id || '/' || cause as key,
        null::timestamptz as start_after
      from automation_run where result = 'pending' and next_attempt_at < $1 - interval '10 minutes'`,
  },
]
