// Stands in for optional packages that the bundle must not contain (react-devtools-core).
export {}
