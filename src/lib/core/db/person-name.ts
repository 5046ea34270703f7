import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The name of a person as SQL: first and last name, or the email address of a person without a name. */
export const personName = (user: Record<'firstName' | 'lastName' | 'email', SQLWrapper>): SQL<string> =>
  sql<string>`coalesce(nullif(trim(${user.firstName} || ' ' || ${user.lastName}), ''), ${user.email})`

/** The same for the table `user` under an alias of a written statement. */
export const personNameIn = (alias: string): SQL<string> =>
  sql.raw(`coalesce(nullif(trim(${alias}.first_name || ' ' || ${alias}.last_name), ''), ${alias}.email)`) as SQL<string>
