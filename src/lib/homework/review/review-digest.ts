import { eq, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inSystem, inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { localDay, localTime } from '#lib/core/shared/time-zone.ts'
import { notify } from '#lib/notification/notify.ts'
import { tenant } from '#lib/tenant/table.ts'

interface Recipient extends Record<string, unknown> {
  id: string
  waiting: number
  overdue: number
}

/**
 * Reminds reviewers of waiting submissions with one email a day, and none when nothing waits. Runs every hour and sends
 * in the morning of each tenant's time zone. Returns the number of emails.
 */
export async function remindReviewers(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'homework.remindReviewers', dueSql: TENANTS_AT_MORNING, now }, async (tenantId) => {
    const [sender] = await inSystem((tx) =>
      tx
        .select({ id: tenant.id, name: tenant.name, subdomain: tenant.subdomain, timeZone: tenant.timeZone })
        .from(tenant)
        .where(eq(tenant.id, tenantId)),
    )
    if (!sender) return 0
    if (Number(localTime(now, sender.timeZone).slice(0, 2)) !== MORNING_HOUR) return 0
    const day = localDay(now, sender.timeZone)
    const { rows } = await inTenant({ tenantId }, (tx) => tx.execute<Recipient>(WAITING_BY_REVIEWER))
    const task = { job: 'homework.remindReviewers', tenantId, items: rows, idOf: ({ id }: Recipient) => id }
    return forEachItem(task, (recipient) => inTenant({ tenantId }, (tx) => sendDigest(tx, sender, recipient, day)))
  })
}

const MORNING_HOUR = 9

const WAITING = `(
  select tenant_id, id, course_id, answer_by, assigned_to from submission where state in ('submitted', 'in_review')
  union all select tenant_id, attempt_id, course_id, answer_by, assigned_to from quiz_review where state = 'waiting')`

const TENANTS_AT_MORNING = `select 1 from ${WAITING} s join tenant t on t.id = s.tenant_id and t.status = 'active'
  where extract(hour from $1 at time zone t.time_zone) = ${MORNING_HOUR}`

/**
 * Work of a curator's courses that is not assigned to another member, and work that is assigned to any team member. For
 * a course without a curator its experts are reminded.
 */
const WAITING_BY_REVIEWER = sql`
  with waiting as (select * from ${sql.raw(WAITING)} s where s.tenant_id = current_tenant()),
  owed as (
    select s.id, s.answer_by, s.assigned_to as member_id from waiting s where s.assigned_to is not null
    union
    select s.id, s.answer_by, c.member_id from waiting s
      join course_staff c on c.tenant_id = s.tenant_id and c.course_id = s.course_id
        and (c.role = 'curator' or not exists (select 1 from course_staff o
          where o.tenant_id = c.tenant_id and o.course_id = c.course_id and o.role = 'curator'))
      where s.assigned_to is null)
  select m.id, count(*)::int as waiting, count(*) filter (where o.answer_by < now())::int as overdue
  from owed o join membership m on m.tenant_id = current_tenant() and m.id = o.member_id and m.blocked_at is null
  group by m.id`

async function sendDigest(
  tx: Tx,
  sender: { name: string; subdomain: string },
  { id, waiting, overdue }: Recipient,
  day: string,
): Promise<void> {
  const link = overdue > 0 ? '/homework?tab=overdue' : '/homework'
  await notify(tx, {
    kind: 'homework_waiting',
    memberIds: [id],
    key: `homework-digest/${day}`,
    data: { subject: sender.name },
    link,
    groupKey: 'homework_waiting',
    total: waiting,
    email: ({ locale }) => {
      const t = getTranslator(locale)
      return {
        subject: t('homework:digest.subject', { count: waiting }),
        parts: {
          preheader: t('homework:digest.waiting', { count: waiting }),
          heading: t('homework:digest.heading'),
          paragraphs: [
            t('homework:digest.waiting', { count: waiting }),
            ...(overdue > 0 ? [t('homework:digest.overdue', { count: overdue })] : []),
          ],
          button: { label: t('homework:digest.button'), href: addressOf(sender.subdomain, link) },
          footnote: t('homework:digest.footnote'),
        },
      }
    },
  })
}
