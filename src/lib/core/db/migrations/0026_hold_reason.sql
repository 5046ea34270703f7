ALTER TABLE "meeting_message" RENAME COLUMN "held" TO "hold_reason";--> statement-breakpoint
ALTER TABLE "meeting_message" RENAME CONSTRAINT "meeting_message_held_enum" TO "meeting_message_hold_reason_enum";--> statement-breakpoint
select for_each_tenant($$
  update workshop_event set payload = (payload - 'held') || jsonb_build_object('holdReason', payload -> 'held')
   where type in ('message', 'question') and payload ? 'held'
$$);--> statement-breakpoint
select for_each_tenant($$
  update auto_script_entry set payload = (payload - 'held') || jsonb_build_object('holdReason', payload -> 'held')
   where payload ? 'held'
$$);--> statement-breakpoint
select for_each_tenant($$
  update access_change
     set requested_change = jsonb_set(requested_change #- '{change,act}', '{change,action}', requested_change #> '{change,act}')
   where requested_change -> 'change' ? 'act'
$$);
