// The bundler and the test runner turn a Markdown file into its text.
declare module '*.md' {
  const text: string

  export { text as default }
}
