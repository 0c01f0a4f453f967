// Text that the bundler embeds (build.config.ts) and the tests read alike (vitest.config.ts).
declare module '*.md' {
  const text: string
  export default text
}
declare module '*.toml' {
  const text: string
  export default text
}
declare module '*.yaml' {
  const text: string
  export default text
}
