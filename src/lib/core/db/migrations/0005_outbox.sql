CREATE TABLE "outgoing_message" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"template" text,
	"by" uuid,
	"actor" jsonb,
	"object_type" text,
	"object_id" uuid,
	"revision" integer DEFAULT 1 NOT NULL,
	"recipient_count" integer DEFAULT 0 NOT NULL,
	"sent_count" integer DEFAULT 0 NOT NULL,
	"delivered_count" integer DEFAULT 0 NOT NULL,
	"bounced_count" integer DEFAULT 0 NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"send_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	CONSTRAINT "outgoing_message_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "outgoing_message_kind_enum" CHECK ("outgoing_message"."kind" in ('students', 'invitations', 'announcement', 'event')),
	CONSTRAINT "outgoing_message_state_enum" CHECK ("outgoing_message"."state" in ('draft', 'held', 'scheduled', 'sending', 'sent', 'recalled')),
	CONSTRAINT "outgoing_message_object_type_enum" CHECK ("outgoing_message"."object_type" in ('group', 'course', 'workshop')),
	CONSTRAINT "outgoing_message_recipient_count_range" CHECK ("outgoing_message"."recipient_count" >= 0),
	CONSTRAINT "outgoing_message_sent_count_range" CHECK ("outgoing_message"."sent_count" >= 0),
	CONSTRAINT "outgoing_message_delivered_count_range" CHECK ("outgoing_message"."delivered_count" >= 0),
	CONSTRAINT "outgoing_message_bounced_count_range" CHECK ("outgoing_message"."bounced_count" >= 0),
	CONSTRAINT "outgoing_message_failed_count_range" CHECK ("outgoing_message"."failed_count" >= 0),
	CONSTRAINT "outgoing_message_revision_range" CHECK ("outgoing_message"."revision" >= 1),
	CONSTRAINT "outgoing_message_subject_length" CHECK (char_length("outgoing_message"."subject") <= 300),
	CONSTRAINT "outgoing_message_text_length" CHECK (char_length("outgoing_message"."text") <= 5000),
	CONSTRAINT "outgoing_message_template_length" CHECK (char_length("outgoing_message"."template") <= 40)
);
--> statement-breakpoint
CREATE TABLE "outgoing_recipient" (
	"tenant_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"locale" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"mail_id" uuid,
	CONSTRAINT "outgoing_recipient_tenant_id_message_id_id_pk" PRIMARY KEY("tenant_id","message_id","id"),
	CONSTRAINT "outgoing_recipient_locale_enum" CHECK ("outgoing_recipient"."locale" in ('uk', 'en')),
	CONSTRAINT "outgoing_recipient_state_enum" CHECK ("outgoing_recipient"."state" in ('planned', 'queued', 'sent', 'delivered', 'bounced', 'failed', 'recalled')),
	CONSTRAINT "outgoing_recipient_email_length" CHECK (char_length("outgoing_recipient"."email") <= 254),
	CONSTRAINT "outgoing_recipient_name_length" CHECK (char_length("outgoing_recipient"."name") <= 300),
	CONSTRAINT "outgoing_recipient_reason_length" CHECK (char_length("outgoing_recipient"."reason") <= 500)
);
--> statement-breakpoint
ALTER TABLE "mail" DROP CONSTRAINT "mail_status_enum";--> statement-breakpoint
ALTER TABLE "student_job" DROP CONSTRAINT "student_job_action_enum";--> statement-breakpoint
ALTER TABLE "student_job" DROP CONSTRAINT "student_job_state_enum";--> statement-breakpoint
ALTER TABLE "student" ADD COLUMN "bounced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outgoing_message" ADD CONSTRAINT "outgoing_message_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_message" ADD CONSTRAINT "outgoing_message_by" FOREIGN KEY ("tenant_id","by") REFERENCES "public"."membership"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_recipient" ADD CONSTRAINT "outgoing_recipient_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_recipient" ADD CONSTRAINT "outgoing_recipient_message" FOREIGN KEY ("tenant_id","message_id") REFERENCES "public"."outgoing_message"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outgoing_message_tenant_id_by_index" ON "outgoing_message" USING btree ("tenant_id","by");--> statement-breakpoint
CREATE INDEX "outgoing_message_tenant_id_created_at_id_index" ON "outgoing_message" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outgoing_message_tenant_id_state_created_at_id_index" ON "outgoing_message" USING btree ("tenant_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX "outgoing_message_tenant_id_object_id_created_at_id_index" ON "outgoing_message" USING btree ("tenant_id","object_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outgoing_recipient_tenant_id_message_id_state_id_index" ON "outgoing_recipient" USING btree ("tenant_id","message_id","state","id");--> statement-breakpoint
CREATE INDEX "outgoing_recipient_tenant_id_id_index" ON "outgoing_recipient" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "outgoing_recipient_mail_id_index" ON "outgoing_recipient" USING btree ("mail_id");--> statement-breakpoint
ALTER TABLE "mail" ADD CONSTRAINT "mail_status_enum" CHECK ("mail"."status" in ('queued', 'sent', 'delivered', 'bounced', 'failed', 'recalled'));--> statement-breakpoint
select for_each_tenant($$ delete from student_job where action in ('invite', 'email') $$);--> statement-breakpoint
ALTER TABLE "student_job" ADD CONSTRAINT "student_job_action_enum" CHECK ("student_job"."action" in ('addToCourse', 'addToGroup', 'extend', 'freeze', 'tag', 'untag', 'block', 'unblock', 'delete', 'restore'));--> statement-breakpoint
ALTER TABLE "student_job" ADD CONSTRAINT "student_job_state_enum" CHECK ("student_job"."state" in ('draft', 'queued', 'running', 'done'));
--> statement-breakpoint
select isolate_tenants(t) from unnest(array['outgoing_message', 'outgoing_recipient']::regclass[]) t;
--> statement-breakpoint
-- The delivery of an email is stored in its recipient and counted in its message; the last one ends the message. An address
-- that was refused permanently makes the status of the student unknown, until it is corrected or an invitation is accepted.
create function copy_mail_to_recipient() returns trigger language plpgsql as $$
declare
  message uuid;
begin
  if is_restoring() then return null; end if;
  update outgoing_recipient
     set state = new.status, reason = case when new.status in ('bounced', 'failed') then left(new.error, 500) end
   where tenant_id = new.tenant_id and mail_id = new.id
  returning message_id into message;
  if message is not null then
    update outgoing_message m
       set sent_count = sent_count + (new.status = 'sent')::int - (old.status = 'sent')::int,
           delivered_count = delivered_count + (new.status = 'delivered')::int - (old.status = 'delivered')::int,
           bounced_count = bounced_count + (new.status = 'bounced')::int - (old.status = 'bounced')::int,
           failed_count = failed_count + (new.status = 'failed')::int - (old.status = 'failed')::int,
           state = case when m.state not in ('scheduled', 'sending') then m.state
             when exists (select 1 from outgoing_recipient r where r.tenant_id = new.tenant_id and r.message_id = m.id
               and r.state in ('planned', 'queued')) then 'sending' else 'sent' end,
           sent_at = coalesce(m.sent_at, now())
     where m.tenant_id = new.tenant_id and m.id = message;
  end if;
  if new.status = 'bounced' then
    update student s set bounced_at = now(), status = 'unknown' from "user" u
     where s.tenant_id = new.tenant_id and s.user_id = u.id and u.email = new."to" and s.bounced_at is null;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger recipient_of_mail after update of status on mail
  for each row when (new.tenant_id is not null and old.status <> new.status) execute function copy_mail_to_recipient();
--> statement-breakpoint
create or replace function copy_membership_to_student() returns trigger language plpgsql as $$
begin
  if is_restoring() then return null; end if;
  insert into student (tenant_id, id, user_id, name, email, phone, status, created_at, blocked_at, last_active_at)
  select new.tenant_id, new.id, new.user_id, trim(u.first_name || ' ' || u.last_name), u.email, u.phone,
         case new.status when 'active' then 'accepted' else new.status end, new.created_at, new.blocked_at, new.last_active_at
    from "user" u where u.id = new.user_id
  on conflict (tenant_id, id) do update
    set status = case when student.bounced_at is null or (new.status = 'accepted' and old.status <> 'accepted')
                   then excluded.status else 'unknown' end,
        bounced_at = case when new.status = 'accepted' and old.status <> 'accepted' then null else student.bounced_at end,
        created_at = excluded.created_at, blocked_at = excluded.blocked_at,
        last_active_at = greatest(student.last_active_at, excluded.last_active_at);
  return null;
end $$;
--> statement-breakpoint
create or replace function copy_user_to_students() returns trigger language plpgsql as $$
declare
  entered_tenant_id uuid;
  tenant_before text := coalesce(current_setting('app.tenant_id', true), '');
  person_before text := coalesce(current_setting('app.user_id', true), '');
begin
  if is_restoring() then return null; end if;
  perform set_config('app.user_id', new.id::text, true);
  for entered_tenant_id in select tenant_id from membership where user_id = new.id and account_type = 'ACCOUNT_TYPE_STUDENT' loop
    perform set_config('app.tenant_id', entered_tenant_id::text, true);
    update student set name = trim(new.first_name || ' ' || new.last_name), email = new.email, phone = new.phone
     where tenant_id = entered_tenant_id and user_id = new.id and anonymized_at is null;
    if new.email <> old.email then
      update student s set bounced_at = null, status = case m.status when 'active' then 'accepted' else m.status end
        from membership m
       where s.tenant_id = entered_tenant_id and s.user_id = new.id and s.bounced_at is not null
         and m.tenant_id = entered_tenant_id and m.id = s.id;
    end if;
  end loop;
  perform set_config('app.tenant_id', tenant_before, true);
  perform set_config('app.user_id', person_before, true);
  return null;
end $$;
