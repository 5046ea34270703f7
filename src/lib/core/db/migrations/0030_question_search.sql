-- Text of a question for searches. array_to_string is only stable because of other element types than text.
create function question_search(title text, tags text[]) returns text language sql immutable strict parallel safe as
$$ select search_text(title || ' ' || array_to_string(tags, ' ')) $$;
--> statement-breakpoint
ALTER TABLE "question" ADD COLUMN "search" text GENERATED ALWAYS AS (question_search(title, tags)) STORED NOT NULL;
