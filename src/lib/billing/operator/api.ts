import { createHash, timingSafeEqual } from 'node:crypto'
import { config } from '#lib/core/config/config.ts'
import { publicProcedure } from '#lib/core/http/api/procedure.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { UsageCounters } from '../usage.ts'
import { extendTrial, getSchoolUsage, listSchools, restoreSchool, suspendSchool } from './operator.ts'
import {
  ConfirmPlanTransfer,
  ExtendTrial,
  ListSchools,
  School,
  SchoolInput,
  SchoolList,
  SchoolTransfer,
  SchoolTransfers,
  SchoolUsage,
  SuspendSchool,
} from './schema.ts'
import { confirmPlanTransfer, listPlanTransfers } from './transfers.ts'

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()

/** For the operator of the installation: the bearer token is OPERATOR_TOKEN. Refuses with unauthorized. */
const operatorProcedure = publicProcedure.use(({ context, next }) => {
  const { operatorToken } = config
  const isOperator =
    operatorToken !== null && context.token !== null && timingSafeEqual(digest(context.token), digest(operatorToken))
  if (!isOperator) throw new Refusal('unauthorized')
  return next()
})

/** Procedures of the operator; `counters` count what the modules above have. */
export const operatorProcedures = (counters: UsageCounters) => ({
  listSchools: operatorProcedure
    .route({ summary: 'Returns the schools of the installation with owner, status and plans' })
    .input(ListSchools)
    .output(SchoolList)
    .handler(({ input }) => listSchools(input)),
  getUsage: operatorProcedure
    .route({ summary: 'Returns a school with how much of its limits it uses' })
    .input(SchoolInput)
    .output(SchoolUsage)
    .handler(({ input }) => getSchoolUsage(input, counters)),
  extendTrial: operatorProcedure
    .route({ summary: 'Lets the trial of a school last some days longer' })
    .input(ExtendTrial)
    .output(School)
    .handler(({ input }) => extendTrial(input)),
  listPlanTransfers: operatorProcedure
    .route({ summary: 'Returns the invoices of a school that are paid by bank transfer' })
    .input(SchoolInput)
    .output(SchoolTransfers)
    .handler(({ input }) => listPlanTransfers(input)),
  confirmPlanTransfer: operatorProcedure
    .route({ summary: 'Records that the bank transfer for an invoice of a school has arrived' })
    .input(ConfirmPlanTransfer)
    .output(SchoolTransfer)
    .handler(({ input }) => confirmPlanTransfer(input)),
  suspendSchool: operatorProcedure
    .route({ summary: 'Closes a school for everyone until it is restored' })
    .input(SuspendSchool)
    .output(School)
    .handler(({ input }) => suspendSchool(input)),
  restoreSchool: operatorProcedure
    .route({ summary: 'Opens a suspended school again' })
    .input(SchoolInput)
    .output(School)
    .handler(({ input }) => restoreSchool(input)),
})
