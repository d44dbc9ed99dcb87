import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type DefaultTheme } from 'vitepress'

const docs = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const root = resolve(docs, '..')
const pom = readFileSync(join(root, 'pom.xml'), 'utf8')

/** Where the sources are: pages link to files outside of docs/. */
const place = pom.match(/<project\.place>(.*)<\/project\.place>/)![1]
const base = '/3.x/'
const version = pom.match(/<artifactId>snowcast-parent<\/artifactId>\s*<version>(.*)<\/version>/)![1]

/** The pages by task. A page that is missing here fails the build. */
const pages: Record<string, string[]> = {
  'Begin': ['getting-started', 'concepts', 'choosing', 'peers', 'recipes', 'examples'],
  'Write code': [
    'guide', 'spring', 'quarkus', 'micronaut', 'persistence', 'json', 'ids', 'integers', 'node-leases',
    'node-leases-adapters', 'testing', 'reactive',
  ],
  'Stores': ['sql', 'jdbc', 'cassandra'],
  'Tools': ['server', 'cli', 'clients'],
  'Migrate': [
    'migration/README', 'migration/snowcast-1-and-2', 'migration/flake-id-generator', 'migration/atomic-long',
    'migration/cosid', 'migration/tsid', 'migration/snowflake', 'migration/databases',
  ],
  'Operate': [
    'operate/README', 'operate/production-checklist', 'operate/kubernetes', 'operate/restart', 'operate/split-brain',
    'operate/clocks', 'operate/settings', 'operate/monitoring', 'operate/runbook', 'operate/security', 'operate/sql',
    'troubleshooting',
  ],
  'Look up': [
    'guarantees', 'reference/configuration', 'reference/messages', 'reference/metrics', 'reference/compatibility',
    'reference/dialects',
  ],
  'Contribute': [
    'dev/design', 'dev/mechanisms', 'dev/concurrency', 'dev/evidence', 'dev/spec/README', 'dev/mutations',
    'dev/tests', 'dev/cassandra', 'dev/long-runs', 'dev/benchmarks', 'dev/benchmarks/README', 'dev/releasing',
  ],
}

function markdownFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : markdownFiles(path)
    }
    return entry.name.endsWith('.md') ? [relative(docs, path).slice(0, -3)] : []
  })
}

const listed = Object.values(pages).flat()
const unlisted = markdownFiles(docs).filter((page) => page !== 'index' && !listed.includes(page))
if (unlisted.length > 0) {
  throw new Error(`pages that the navigation in .vitepress/config.mts does not list: ${unlisted.join(', ')}`)
}

function titleOf(page: string): string {
  return readFileSync(join(docs, `${page}.md`), 'utf8').match(/^# (.*)$/m)![1].replaceAll('`', '')
}

function sidebarOf(isShown: (text: string) => boolean): DefaultTheme.SidebarItem[] {
  return Object.entries(pages)
    .filter(([text]) => isShown(text))
    .map(([text, group]) => ({
      text,
      collapsed: text === 'Migrate',
      items: group.map((page) => ({ text: titleOf(page), link: `/${page.replace(/README$/, '')}` })),
    }))
}

/** Users do not see the pages of contributors in the sidebar. */
const sidebar: DefaultTheme.Sidebar = {
  '/dev/': sidebarOf((text) => text === 'Contribute'),
  '/': sidebarOf((text) => text !== 'Contribute'),
}

/** As GitHub does, where the same files are read: a link with an anchor leads to one place on both. */
function slug(heading: string): string {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-')
}

/** Pages of folders are called README.md, for GitHub; files outside of docs/ are no pages. */
function linkFrom(page: string, href: string): string {
  if (/^[a-z]+:|^#|^\//.test(href)) {
    return href
  }
  const [path, anchor] = href.split('#', 2)
  const file = resolve(docs, dirname(page), path)
  if (!existsSync(file)) {
    throw new Error(`${page}: no file at ${href}`)
  }
  const hash = anchor === undefined ? '' : `#${anchor}`
  const isPage = path.endsWith('.md') && !relative(docs, file).startsWith('..')
  if (!isPage && !/\.(svg|png)$/.test(path)) {
    const kind = statSync(file).isDirectory() ? 'tree' : 'blob'
    return `${place}/${kind}/main/${relative(root, file)}${hash}`
  }
  return path.replace(/README\.md$/, 'index.md') + hash
}

/** Fails the build for a link or an anchor that leads nowhere. */
function requireLinks(dist: string, base: string) {
  const files = (readdirSync(dist, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.html') && !file.startsWith('api'))
  const html = new Map(files.map((file) => [file, readFileSync(join(dist, file), 'utf8')]))
  const ids = new Map([...html].map(([file, text]) => [file, new Set([...text.matchAll(/ id="([^"]*)"/g)].map((m) => m[1]))]))
  const dead: string[] = []
  for (const [file, text] of html) {
    for (const [, href] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const url = new URL(href, `https://site.invalid${base}${file}`)
      if (url.host !== 'site.invalid' || url.pathname.startsWith(`${base}api/`)) {
        continue
      }
      const path = decodeURIComponent(url.pathname).slice(base.length)
      const target = path === '' || path.endsWith('/') ? `${path}index.html` : path.replace(/(\.html)?$/, '.html')
      const id = decodeURIComponent(url.hash.slice(1))
      if (!ids.has(target) || (id !== '' && !ids.get(target)!.has(id))) {
        dead.push(`${file}: ${href}`)
      }
    }
  }
  if (dead.length > 0) {
    throw new Error(`links that lead nowhere:\n${[...new Set(dead)].join('\n')}`)
  }
}

export default defineConfig({
  title: 'snowcast',
  description: 'Unique 64-bit IDs in order of time, and compact integers, for Java with Hazelcast or a SQL database',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }]],
  cleanUrls: true,
  lastUpdated: true,
  rewrites: { ':folder(.*)/README.md': ':folder/index.md' },
  srcExclude: ['node_modules/**'],
  markdown: {
    anchor: { slugify: slug },
    config: (md) => {
      md.core.ruler.push('links', (state) => {
        const page = state.env.relativePath.replace(/(^|\/)index\.md$/, '$1README.md')
        for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
          const href = token.attrGet('href')
          if (token.type === 'link_open' && href) {
            token.attrSet('href', linkFrom(page, href))
          }
        }
      })
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // Users search, mostly for the words of a message. Pages of contributors come last.
            boostDocument: (id: string) => (id.includes('/dev/') ? 0.1 : id.includes('/reference/messages') ? 1.4 : 1),
          },
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Configuration', link: '/reference/configuration' },
      { text: 'Messages', link: '/reference/messages' },
      { text: 'API', link: '/api/', target: '_self' },
      {
        text: version,
        items: [
          { text: 'Changes', link: `${place}/blob/main/CHANGELOG.md` },
          { text: 'Contributing', link: `${place}/blob/main/CONTRIBUTING.md` },
        ],
      },
    ],
    sidebar,
    editLink: { pattern: `${place}/edit/main/docs/:path`, text: 'Edit this page' },
    socialLinks: [{ icon: 'github', link: place }],
    docFooter: { prev: false, next: false },
  },
  // Wide tables need the room of the outline.
  transformPageData: (page) => {
    page.frontmatter.aside ??= !page.relativePath.startsWith('reference/')
  },
  buildEnd: (site) => requireLinks(site.outDir, site.site.base),
})
