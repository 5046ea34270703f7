import { eq, type SQL, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { FileUserKind } from '#lib/core/shared/stored-file.ts'
import { publishStorageEvent } from './live.ts'
import { requireStorageAccess } from './permission.ts'
import { file, fileUse } from './table.ts'

/** A user of files, with its title as shown to people. */
export interface FileUser {
  kind: FileUserKind
  id: string
  title: string
}

/**
 * Sets the files that a user uses: files that it used before are released. Idempotent. Ids of other tenants and folders
 * are ignored. The caller has checked the permission to change the user.
 */
export function attachFiles(actor: Actor, { kind, id, title }: FileUser, fileIds: readonly string[]): Promise<void> {
  return attachFilesOfMany(actor, kind, [{ id, title, fileIds }])
}

/** As attachFiles, for several users of one kind in one statement. */
export async function attachFilesOfMany(
  actor: Actor,
  kind: FileUserKind,
  users: readonly { id: string; title: string; fileIds: readonly string[] }[],
): Promise<void> {
  if (users.length === 0) return
  await inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<{ changed: boolean }>(sql`
      with asked as (select id, title, "fileIds" as files
        from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as u(id uuid, title text, "fileIds" jsonb)),
      wanted as (
        select distinct asked.id as user_id, asked.title, file.id as file_id
        from asked cross join jsonb_array_elements_text(asked.files) as f(id)
        join file on file.tenant_id = current_tenant() and file.id = f.id::uuid and file.kind <> 'folder'),
      freed as (
        delete from file_use using asked
        where file_use.tenant_id = current_tenant() and user_kind = ${kind} and user_id = asked.id
          and not exists (select 1 from wanted w where w.user_id = asked.id and w.file_id = file_use.file_id)
        returning 1),
      taken as (
        insert into file_use (tenant_id, file_id, user_kind, user_id, title)
        select current_tenant(), file_id, ${kind}, user_id, title from wanted
        on conflict (tenant_id, file_id, user_kind, user_id) do update set title = excluded.title
          where file_use.title <> excluded.title
        returning 1)
      select exists (select 1 from freed) or exists (select 1 from taken) as changed`)
    if (rows[0]?.changed) await publishStorageEvent({ fileId: null, event: 'changed' })
  })
}

/** A condition on `file`: used by this user. */
export const usedBy = ({ kind, id }: Pick<FileUser, 'kind' | 'id'>): SQL => sql`${file.id} in (
  select file_use.file_id from file_use
  where file_use.tenant_id = ${file.tenantId} and file_use.user_kind = ${kind} and file_use.user_id = ${id})`

/** Releases all files of a deleted user. A second call changes nothing. */
export const detachFiles = (actor: Actor, user: Omit<FileUser, 'title'>): Promise<void> =>
  attachFiles(actor, { ...user, title: '' }, [])

/** The users of a file, by title. Refuses with forbidden, not_found. */
export async function listUses(actor: Actor, input: { fileId: string }): Promise<FileUser[]> {
  requireStorageAccess(actor)
  const { fileId } = input
  return inTenant(actor, async (tx) => {
    const [row] = await tx.select({ id: file.id }).from(file).where(eq(file.id, fileId))
    if (!row) throw new Refusal('not_found')
    return tx
      .select({ kind: fileUse.userKind, id: fileUse.userId, title: fileUse.title })
      .from(fileUse)
      .where(eq(fileUse.fileId, fileId))
      .orderBy(fileUse.title, fileUse.userId)
  })
}
