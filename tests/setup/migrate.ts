import { pool } from '#lib/core/db/db.ts'
import { migrate } from '#lib/core/db/migrate.ts'

await migrate()
await pool.end()
