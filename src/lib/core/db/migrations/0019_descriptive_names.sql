ALTER TABLE "auto_plan" RENAME COLUMN "honest" TO "disclosure";--> statement-breakpoint
ALTER TABLE "session_rollup" RENAME COLUMN "rolled_seq" TO "counted_seq";--> statement-breakpoint
ALTER TABLE "session_rollup" RENAME CONSTRAINT "session_rollup_rolled_seq_range" TO "session_rollup_counted_seq_range";--> statement-breakpoint
select for_each_tenant($$
  update masterclass set content = (content - 'forWhom') || jsonb_build_object('audience', content -> 'forWhom')
   where content ? 'forWhom'
$$);
