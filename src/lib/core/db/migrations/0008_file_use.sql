-- Pictures that courses and lessons showed before the storage kept account of it.
ALTER TABLE "course" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "module" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "lesson" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "file" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "file_use" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
WITH shown AS (
  SELECT tenant_id, 'course' AS kind, id, title, '/v1/file/' || cover_file_id AS src FROM course WHERE cover_file_id IS NOT NULL
  UNION
  SELECT tenant_id, 'course', id, title, jsonb_path_query(description, 'strict $.** ? (@.type == "image").attrs.src') #>> '{}' FROM course
  UNION
  SELECT l.tenant_id, 'lesson', l.id, l.title, jsonb_path_query(t.doc, 'strict $.** ? (@.type == "image").attrs.src') #>> '{}'
  FROM lesson l JOIN module m ON m.tenant_id = l.tenant_id AND m.id = l.module_id
  CROSS JOIN LATERAL (VALUES (l.blocks), (l.published_blocks)) AS t(doc)
  WHERE l.deleted_at IS NULL AND m.deleted_at IS NULL)
INSERT INTO file_use (tenant_id, file_id, user_kind, user_id, title)
SELECT s.tenant_id, f.id, s.kind, s.id, s.title FROM shown s
JOIN file f ON f.tenant_id = s.tenant_id AND s.src = '/v1/file/' || f.id
ON CONFLICT DO NOTHING;
--> statement-breakpoint
ALTER TABLE "course" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "module" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "lesson" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "file" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "file_use" FORCE ROW LEVEL SECURITY;
