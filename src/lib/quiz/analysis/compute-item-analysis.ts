import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'

/** Maximum number of stored choices per question, the most frequent first. */
const MAX_CHOICES = sql.raw('60')
const MAX_CHOICE_LENGTH = sql.raw('200')

/**
 * Computes the item analysis of a test from the first graded attempt of each student and stores it. The quarters of
 * students are by the score in the rest of the test, so that the question itself has no influence. Formulas:
 * docs/decisions/240-item-analysis.md.
 */
export function computeItemAnalysis({ tenantId, quizId }: { tenantId: string; quizId: string }): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    await tx.execute(sql`
      with counted as (
        select distinct on (student_id) id, questions from quiz_attempt
         where tenant_id = current_tenant() and quiz_id = ${quizId}::uuid and state = 'graded'
         order by student_id, number),
      item as (
        select c.id as attempt_id, f."questionId" as question_id, f.points, w.value, w.spent_ms,
               coalesce(w.manual_score, w.score, 0) as score,
               sum(coalesce(w.manual_score, w.score, 0)) over attempt as total, sum(f.points) over attempt as max_total
          from counted c
          cross join lateral jsonb_to_recordset(c.questions) as f("questionId" uuid, points numeric)
          left join quiz_answer w on w.tenant_id = current_tenant() and w.attempt_id = c.id
               and w.question_id = f."questionId"
        window attempt as (partition by c.id)),
      share as (
        select attempt_id, question_id, value, spent_ms, (score / nullif(points, 0))::float8 as own,
               ((total - score) / nullif(max_total - points, 0))::float8 as rest
          from item),
      bound as (
        select question_id, percentile_disc(0.75) within group (order by rest) as top,
               percentile_disc(0.25) within group (order by rest) as bottom
          from share group by question_id),
      grouped as (
        select s.*, coalesce(s.rest >= b.top, false) as is_top, coalesce(s.rest <= b.bottom, false) as is_bottom
          from share s join bound b using (question_id)),
      choice as (
        select question_id, left(key, ${MAX_CHOICE_LENGTH}) as key, count(*)::int as count,
               (count(*) filter (where is_top))::int as top, (count(*) filter (where is_bottom))::int as bottom,
               row_number() over (partition by question_id order by count(*) desc, left(key, ${MAX_CHOICE_LENGTH})) as place
          from grouped cross join lateral (${CHOICES}) as chosen(key)
         where key is not null and key <> ''
         group by question_id, left(key, ${MAX_CHOICE_LENGTH})),
      choices as (
        select question_id, jsonb_agg(jsonb_build_object('key', key, 'count', count, 'top', top, 'bottom', bottom)
                 order by place) as list
          from choice where place <= ${MAX_CHOICES} group by question_id),
      statistics as (
        select question_id, count(*)::int as count, count(value)::int as answered,
               (count(value) filter (where is_top))::int as top_answered,
               (count(value) filter (where is_bottom))::int as bottom_answered,
               avg(own) as facility, corr(own, rest) as discrimination, avg(own) filter (where is_top) as top_facility,
               percentile_cont(0.5) within group (order by spent_ms / 1000.0)
                 filter (where value is not null and spent_ms > 0) as median_seconds
          from grouped group by question_id)
      insert into quiz_analysis (tenant_id, quiz_id, attempts, items, computed_at)
      select current_tenant(), ${quizId}::uuid, (select count(*) from counted)::int,
             coalesce(jsonb_agg(jsonb_build_object('questionId', question_id, 'count', count, 'answered', answered,
               'topAnswered', top_answered, 'bottomAnswered', bottom_answered, 'facility', facility,
               'discrimination', discrimination, 'topFacility', top_facility, 'medianSeconds', median_seconds,
               'choices', coalesce(list, '[]'))), '[]'), now()
        from statistics left join choices using (question_id)
      on conflict (tenant_id, quiz_id) do update
        set attempts = excluded.attempts, items = excluded.items, computed_at = excluded.computed_at`)
  })
}

/** The parts of an answer: options, parts with their choices, or the typed text. */
const CHOICES = sql`
  select value ->> 'optionId' where value ->> 'type' = 'single'
  union all select value ->> 'value' where value ->> 'type' in ('trueFalse', 'scale')
  union all select lower(btrim(value ->> 'text')) where value ->> 'type' in ('shortText', 'number')
  union all select jsonb_array_elements_text(value -> 'optionIds') where value ->> 'type' = 'multiple'
  union all select part || '/' || btrim(chosen) from jsonb_each_text(value -> 'gaps') as gaps(part, chosen)
  union all select part || '/' || btrim(typed) from jsonb_each_text(value -> 'texts') as texts(part, typed)
  union all select part || '/' || jsonb_array_elements_text(list) from jsonb_each(value -> 'chosen') as lists(part, list)
  union all select part || '/' || chosen from jsonb_each_text(value -> 'choices') as pairs(part, chosen)`
