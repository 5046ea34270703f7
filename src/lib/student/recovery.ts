import type { Recovery } from '#lib/core/jobs/recovery.ts'

export const studentRecoveries: Recovery[] = [
  {
    job: 'student.runBulk',
    state: { table: 'student_job', column: 'state', values: ['queued', 'running'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'jobId', id) as data, id::text as key,
        null::timestamptz as start_after
      from student_job where state in ('queued', 'running') and created_at < $1 - interval '10 minutes'`,
    timeoutHours: 4,
  },
  {
    job: 'student.import',
    state: { table: 'student_import', column: 'state', values: ['queued', 'running'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'importId', id) as data, id::text as key,
        null::timestamptz as start_after
      from student_import where state in ('queued', 'running') and created_at < $1 - interval '10 minutes'`,
    timeoutHours: 4,
  },
  {
    job: 'student.exportData',
    state: { table: 'data_export', column: 'state', values: ['queued'] },
    waitingSql: `select jsonb_build_object('tenantId', null, 'exportId', id) as data, id::text as key,
        null::timestamptz as start_after
      from data_export where state = 'queued' and requested_at < $1 - interval '10 minutes' and current_tenant() is null`,
    timeoutHours: 1,
    hasUntenantedRows: true,
  },
]
