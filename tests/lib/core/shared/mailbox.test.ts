import { afterAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { mailboxOf } from '#lib/core/shared/text/mailbox.ts'

afterAll(() => pool.end())

const MAILBOXES = [
  ['Olena.Koval@Gmail.com', 'olenakoval@gmail.com'],
  ['olenakoval+школа@googlemail.com', 'olenakoval@gmail.com'],
  ['olena.koval+1@outlook.com', 'olena.koval@outlook.com'],
  ['olena.koval+1@ukr.net', 'olena.koval+1@ukr.net'],
  ['Олена@приклад.укр', 'олена@приклад.укр'],
  ['+tag@gmail.com', '+tag@gmail.com'],
  ['.@gmail.com', '.@gmail.com'],
  ['"a@b"+1@icloud.com', '"a@b"@icloud.com'],
  ['gmail.com', 'gmail.com'],
  ['@gmail.com', '@gmail.com'],
  ['', ''],
] as const

test.each(MAILBOXES)('%s delivers to %s, also in SQL', async (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
  const { rows } = await pool.query('select mailbox_of($1) as mailbox', [email])
  expect(rows[0].mailbox).toBe(mailbox)
})
