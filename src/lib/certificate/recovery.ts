import type { Recovery } from '#lib/core/jobs/recovery.ts'

/** Due certificates wait for the job of their course. */
export const certificateRecoveries: Recovery[] = [
  {
    job: 'certificate.issueDue',
    state: { table: 'certificate', column: 'state', values: ['pending'] },
    waitingSql: `select distinct jsonb_build_object('tenantId', tenant_id, 'courseId', course_id) as data,
      course_id::text as key, null::timestamptz as start_after
      from certificate where state = 'pending' and due_at < $1 - interval '5 minutes'`,
    timeoutHours: 2,
  },
]
