export { createWorkshop } from './create.ts'
export { type Appended, appendEvents, type ReadEvents, readEvents, type SessionRef } from './event-log.ts'
export { must, mustManage, mustModerate, mustWritePlan, rolesAt } from './permission.ts'
