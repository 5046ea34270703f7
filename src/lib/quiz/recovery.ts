import type { Recovery } from '#lib/core/jobs/recovery.ts'

export const quizRecoveries: Recovery[] = [
  {
    job: 'quiz.importQuestions',
    state: { table: 'question_import', column: 'state', values: ['queued', 'running'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'importId', id) as data, id::text as key,
        null::timestamptz as start_after
      from question_import where state in ('queued', 'running') and created_at < $1 - interval '10 minutes'`,
  },
  {
    job: 'quiz.regrade',
    state: { table: 'quiz_regrade', column: 'state', values: ['running'] },
    waitingSql: `select jsonb_build_object('tenantId', tenant_id, 'regradeId', id) as data,
        'quiz-regrade/' || id as key, null::timestamptz as start_after
      from quiz_regrade where state = 'running' and at < $1 - interval '10 minutes'`,
  },
]
