import type { KnipConfig } from 'knip'

const FRONTMATTER = /^---\r?\n([\s\S]*?)\r?\n---/
const SCRIPT = /<script(?:\s[^>]*[^>/])?>([\s\S]*?)<\/script>/g
const STYLE_IMPORT = /@(?:import|plugin)\s+['"]([^'"]+)['"]/g

export default {
  entry: [
    'scripts/*.ts',
    'scripts/{bench,soak,mutants}/**/*.ts',
    // drizzle-kit finds the tables by a pattern of paths.
    'src/lib/**/{table,*-table}.ts',
    // Programs of child processes, started by path.
    'src/lib/core/**/*-process.ts',
    'src/lib/core/broadcast/sfu/sfu.ts',
    'src/lib/core/worker/entry.ts',
    'tests/**/*-process.ts',
    'tests/setup/{migrate,oldest-postgres}.ts',
  ],
  project: ['src/**/*.{ts,tsx,astro,css}', 'scripts/**/*.ts', 'tests/**/*.{ts,tsx}'],
  compilers: {
    astro: (text) => [FRONTMATTER.exec(text)?.[1], ...[...text.matchAll(SCRIPT)].map(([, code]) => code)].join('\n'),
    css: (text) => [...text.matchAll(STYLE_IMPORT)].map(([, name]) => `import '${name}'`).join('\n'),
  },
  ignoreDependencies: [
    // Loaded by name: by `astro check` and by Stryker.
    '@astrojs/check',
    '@stryker-mutator/vitest-runner',
    // Font files that are found by path.
    '@expo-google-fonts/literata',
    '@expo-google-fonts/onest',
    // A font that mathjax finds by its name.
    '@mathjax/mathjax-mhchem-font-extension',
    // A Java archive that the HTML checker of the browser tests runs.
    'vnu-jar',
  ],
  // A type that describes an exported function is exported with it, although callers rarely name it.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig
