import { eq, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { composeEmail } from '#lib/core/mail/letter.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { tenant } from '#lib/tenant/table.ts'

interface Reminded extends Record<string, unknown> {
  id: string
  email: string
  locale: Locale
  waiting: number
  overdue: number
}

/**
 * Reminds reviewers of what waits for them: one letter a day and person however many works there are, and none to whom
 * nothing waits. Asked every hour: a school's letters leave in its own morning. Answers how many.
 */
export async function remindReviewers(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'homework.remindReviewers', dueSql: MORNING_WITH_WORK, now: now }, async (tenantId) => {
    const [school] = await inSystem((tx) =>
      tx
        .select({ id: tenant.id, name: tenant.name, subdomain: tenant.subdomain, timeZone: tenant.timeZone })
        .from(tenant)
        .where(eq(tenant.id, tenantId)),
    )
    if (!school) return 0
    const { hour, day } = localTime(now, school.timeZone)
    if (hour !== MORNING) return 0
    const reminded = await inTenant({ tenantId }, (tx) => tx.execute<Reminded>(WAITING).then(({ rows }) => rows))
    for (const one of reminded) await remind(school, one, day)
    return reminded.length
  })
}

const MORNING = 9

const MORNING_WITH_WORK = `select 1 from submission s join tenant t on t.id = s.tenant_id and t.status = 'active'
  where s.state in ('submitted', 'in_review') and extract(hour from $1 at time zone t.time_zone) = ${MORNING}`

/** Works of a curator's courses that nobody else was given, and those given to anybody in the team. Where no curator is named, the course's experts are told. */
const WAITING = sql`
  with owed as (
    select s.id, s.answer_by, s.assigned_to as member_id from submission s
      where s.tenant_id = current_tenant() and s.state in ('submitted', 'in_review') and s.assigned_to is not null
    union
    select s.id, s.answer_by, c.member_id from submission s
      join course_staff c on c.tenant_id = s.tenant_id and c.course_id = s.course_id
        and (c.role = 'curator' or not exists (select 1 from course_staff o
          where o.tenant_id = c.tenant_id and o.course_id = c.course_id and o.role = 'curator'))
      where s.tenant_id = current_tenant() and s.state in ('submitted', 'in_review') and s.assigned_to is null)
  select m.id, u.email, u.locale, count(*)::int as waiting, count(*) filter (where o.answer_by < now())::int as overdue
  from owed o join membership m on m.tenant_id = current_tenant() and m.id = o.member_id and m.blocked_at is null
  join "user" u on u.id = m.user_id
  group by m.id, u.email, u.locale`

async function remind(
  school: { id: string; name: string; subdomain: string },
  { id, email, locale, waiting, overdue }: Reminded,
  day: string,
): Promise<void> {
  const t = getTranslator(locale)
  const letter = composeEmail(t, {
    school: school.name,
    preheader: t('homework:digest.waiting', { count: waiting }),
    heading: t('homework:digest.heading'),
    paragraphs: [
      t('homework:digest.waiting', { count: waiting }),
      ...(overdue > 0 ? [t('homework:digest.overdue', { count: overdue })] : []),
    ],
    button: {
      label: t('homework:digest.button'),
      href: addressOf(school.subdomain, overdue > 0 ? '/homework?tab=overdue' : '/homework'),
    },
    footnote: t('homework:digest.footnote'),
  })
  const subject = t('homework:digest.subject', { count: waiting })
  await sendEmail({
    tenantId: school.id,
    to: email,
    locale,
    subject,
    body: letter,
    onceKey: `homework-digest/${id}/${day}`,
  })
}

function localTime(now: Date, timeZone: string): { hour: number; day: string } {
  const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(now))
  return { hour, day: new Intl.DateTimeFormat('en-CA', { timeZone }).format(now) }
}
