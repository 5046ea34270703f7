import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: ['./src/lib/**/table.ts', './src/lib/**/*-table.ts'],
  out: './src/lib/core/db/migrations',
})
