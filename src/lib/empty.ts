// Stands in for optional packages that the bundle must not contain (react-devtools-core, which Ink imports by its default).
const nothing = {}

// biome-ignore lint/style/noDefaultExport: the stand-in has to look like the package.
export default nothing
