import { pool } from '#lib/core/db/db.ts'

/**
 * Makes every change of the rows fail whose column has the value, while `run` runs. The rows are recognized by their values
 * after the change. `code`: the SQLSTATE of the failure.
 */
export async function whileRowsFail(
  { table, column, value, code = 'P0001' }: { table: string; column: string; value: string; code?: string },
  run: () => Promise<void>,
): Promise<void> {
  await pool.query(`create or replace function fail_row() returns trigger language plpgsql as $$ begin
    if coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0] = tg_argv[1] then
      raise exception 'this row fails' using errcode = tg_argv[2];
    end if;
    return coalesce(new, old);
  end $$`)
  await pool.query(`create trigger fail_row before insert or update or delete on "${table}"
    for each row execute function fail_row('${column}', '${value}', '${code}')`)
  try {
    await run()
  } finally {
    await pool.query(`drop trigger fail_row on "${table}"`)
  }
}
