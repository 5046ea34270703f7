import type { Recovery } from '#lib/core/jobs/recovery.ts'

export const autowebinarRecoveries: Recovery[] = [
  {
    job: 'autowebinar.turn',
    state: { table: 'workshop_session', column: 'finished_at', values: ['null'] },
    // Sessions of the last two days and future ones.
    waitingSql: `select jsonb_build_object('tenantId', s.tenant_id, 'sessionId', s.id) as data,
        s.id || ' recovered' as key, s.start_at as start_after
      from workshop_session s join workshop w on w.tenant_id = s.tenant_id and w.id = s.workshop_id
      where s.kind = 'auto' and s.finished_at is null and s.canceled_at is null and s.start_at > $1 - interval '2 days'
        and w.publication = 'published' and w.canceled_at is null and w.archived_at is null and w.deleted_at is null
        and s.created_at < $1 - interval '10 minutes'`,
  },
]
