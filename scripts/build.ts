import { ensureBuilt } from './build-stamp.ts'

const built = await ensureBuilt(() => console.log('Збираю сторінки… · Building…')).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
console.log(built ? 'Готово: dist. · Done: dist.' : 'Зібране свіже. · The build is fresh.')
