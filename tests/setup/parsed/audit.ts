import { exportAuditLog as domainExportAuditLog } from '#lib/audit/export.ts'
import { listAuditEntries as domainListAuditEntries } from '#lib/audit/log.ts'
import { AuditFilter, ListAudit } from '#lib/audit/schema.ts'
import { parsed } from './parsed.ts'

export const listAuditEntries = parsed(ListAudit, domainListAuditEntries)
export const exportAuditLog = parsed(AuditFilter, domainExportAuditLog)
