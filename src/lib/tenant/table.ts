import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, versionChecks } from '../core/db/checks.ts'
import { bytes, createdAt, id, instant } from '../core/db/columns.ts'

export const tenant = pgTable(
  'tenant',
  {
    id: id().primaryKey(),
    subdomain: text().notNull().unique(),
    name: text().notNull(),
    locale: text({ enum: ['uk', 'en'] })
      .notNull()
      .default('uk'),
    timeZone: text().notNull().default('Europe/Kyiv'),
    currency: text().notNull().default('UAH'),
    status: text({ enum: ['active', 'suspended', 'deleted'] })
      .notNull()
      .default('active'),
    /** The brand color as chosen, `#rrggbb`; themes use it with corrected contrast (brand-color.ts). */
    primaryColor: text(),
    /** SHA-256 of the logo in `tenant_logo`, in hexadecimal. */
    logoHash: text(),
    /** Confirmed address to which recipients of the tenant's emails reply. */
    replyTo: text(),
    /** Increases with each change of the settings, so that two people do not overwrite each other. */
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    ...enumChecks(table),
    lengthCheck(table.subdomain, 63),
    lengthCheck(table.name, 120),
    lengthCheck(table.timeZone, 64),
    lengthCheck(table.currency, 3),
    lengthCheck(table.primaryColor, 7),
    lengthCheck(table.logoHash, 64),
    lengthCheck(table.replyTo, 254),
    ...versionChecks(table.revision),
  ],
)

/** Former subdomains of a tenant. They redirect to the current one and are reserved for the tenant. */
export const formerSubdomain = pgTable(
  'former_subdomain',
  {
    subdomain: text().primaryKey(),
    tenantId: uuid()
      .notNull()
      .references(() => tenant.id),
    replacedAt: instant().notNull().defaultNow(),
  },
  (table) => [lengthCheck(table.subdomain, 63), index().on(table.tenantId, table.replacedAt)],
)

/** The logo of a tenant as a PNG of at most 512 × 512 pixels. It is public. */
export const tenantLogo = pgTable(
  'tenant_logo',
  {
    tenantId: uuid()
      .primaryKey()
      .references(() => tenant.id),
    hash: text().notNull(),
    image: bytes().notNull(),
  },
  (table) => [lengthCheck(table.hash, 64)],
)

/** A custom domain of a tenant, which serves its public pages when DNS records prove that the tenant controls it. */
export const tenantDomain = pgTable(
  'tenant_domain',
  {
    tenantId: uuid()
      .primaryKey()
      .references(() => tenant.id),
    domain: text().notNull(),
    /** Value of the TXT record that proves control. */
    verificationToken: text().notNull(),
    /** `verified`: the TXT record is right. `active`: the domain also points to this installation. */
    status: text({ enum: ['pending', 'verified', 'active', 'failed'] })
      .notNull()
      .default('pending'),
    createdAt: createdAt(),
    lastCheckAt: instant(),
    /** Key of `settings:domain.problem`. */
    checkError: text({ enum: ['txt_missing', 'txt_wrong', 'address_missing', 'address_wrong', 'dns_unavailable'] }),
    /** Consecutive checks that failed since the domain was last active. */
    failedChecks: integer().notNull().default(0),
  },
  (table) => [
    ...enumChecks(table),
    lengthCheck(table.domain, 253),
    lengthCheck(table.verificationToken, 64),
    ...countChecks(table.failedChecks),
    uniqueIndex().on(table.domain).where(sql`status in ('verified', 'active')`),
    uniqueIndex('tenant_domain_pending').on(table.domain).where(sql`status = 'pending'`),
    index().on(table.status, table.lastCheckAt),
  ],
)
