import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { connectionOptions } from '#lib/core/db/connection.ts'
import { copyDatabase } from '#lib/core/db/copy.ts'
import { migrateAt } from '#lib/core/db/migrate.ts'
import { createCourse } from '#lib/course/course.ts'
import { createDatabase } from '../../setup/cluster.ts'
import { neighbour, school } from '../../setup/people.ts'

const source = connectionOptions(config)

async function emptyDatabase(name: string): Promise<string> {
  const address = await createDatabase(inject('cluster').socketDir, name)
  await migrateAt(address)
  return address
}

test('moves every school whole, with its walls', async () => {
  const [ours, theirs] = [await school(), await neighbour()]
  await createCourse(ours.as.OWNER, { title: 'Голос і дикція' })
  await createCourse(theirs.as.OWNER, { title: 'Ноти за тиждень' })
  const target = await emptyDatabase(`copy_${process.pid}`)

  const copied = await copyDatabase(source, { connectionString: target })
  expect(copied).toMatchObject({ tenant: 2, course: 2 })

  const client = new pg.Client({ connectionString: target })
  await client.connect()
  const titles = async () =>
    (await client.query<{ title: string }>('select title from course')).rows.map((r) => r.title)
  expect(await titles()).toEqual([])
  await client.query("select set_config('app.tenant_id', $1, false)", [ours.tenant.id])
  expect(await titles()).toEqual(['Голос і дикція'])
  await client.end()

  await expect(copyDatabase(source, { connectionString: target })).rejects.toThrow('holds schools already')
})
