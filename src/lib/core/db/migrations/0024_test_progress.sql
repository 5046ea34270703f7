ALTER TABLE "lesson" ADD COLUMN "test_ids" jsonb GENERATED ALWAYS AS (coalesce(jsonb_path_query_array(published_blocks,
      '$.content[*] ? (@.type == "test" && @.attrs.testId != null).attrs.testId'), '[]'::jsonb)) STORED NOT NULL;
--> statement-breakpoint
-- A test that is in no lesson changes no progress, but may be required by a certificate.
create function note_certificate_check_of_attempt() returns trigger language plpgsql as $$
begin
  if is_restoring() then return null; end if;
  insert into certificate_check (tenant_id, course_id, student_id)
  select new.tenant_id, r.course_id, new.student_id from certificate_rule r
   where r.tenant_id = new.tenant_id and r.test_id = new.quiz_id and r.enabled and r.auto_issue and r.type = 'electronic'
  on conflict (tenant_id, course_id, student_id) do update set at = now();
  return null;
end $$;
--> statement-breakpoint
create trigger certificate_of_attempt after insert or update of state, score, passed on quiz_attempt
  for each row when (new.state = 'graded')
  execute function note_certificate_check_of_attempt();
